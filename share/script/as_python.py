def _nbscope_as_python(shell, needs_no_loop):
    """In the cells of a script, sys.exit() and asyncio.run() do what they do in python."""
    import asyncio
    import warnings

    cell, own_loop, show = {}, asyncio.new_event_loop(), shell._showtraceback

    def ends_well(error):
        return isinstance(error, SystemExit) and (error.code is None or error.code == 0)

    def show_error(etype, error, *lines):
        if not ends_well(error):
            return show(etype, error, *lines)
        warnings.filterwarnings("ignore", "To exit: use")

    def before(info):
        """Leaves the kernel's event loop, which waits for the cell anyway."""
        loop = asyncio._get_running_loop()
        if loop is None or not needs_no_loop(info.raw_cell):
            return
        cell.update(loop=loop, task=asyncio.current_task(loop))
        if cell["task"]:
            asyncio.tasks._leave_task(loop, cell["task"])
        asyncio._set_running_loop(None)
        asyncio.set_event_loop(own_loop)

    def after(result):
        if "loop" in cell:
            asyncio.set_event_loop(cell["loop"])
            asyncio._set_running_loop(cell["loop"])
            if cell["task"]:
                asyncio.tasks._enter_task(cell["loop"], cell["task"])
            cell.clear()
        if result is not None and ends_well(result.error_in_exec):
            result.error_in_exec = None
            shell.input_transformers_cleanup.insert(0, lambda lines: [NOT_RUN])

    NOT_RUN = "print('not run: the script has ended', file=__import__('sys').stderr)\n"
    shell._showtraceback = show_error
    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
