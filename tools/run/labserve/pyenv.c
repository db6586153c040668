/* pyenv.c: the Python environment that nbscope's own JupyterLab runs in.
 * share/lab is inside the program, so that it runs wherever it is installed; only the
 * interpreter must be found. */
#include "pyenv.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/installation.h"
#include "base/str.h"
#include "jupyter/lab.h"
#include "process/hold.h"

#include <unistd.h>

enum { STEP_MS = 5, TAIL_BYTES = 300 };

EMBED_STATIC(serve_py, "share/lab/serve.py");
EMBED_STATIC(kernels_py, "share/lab/nbscope_kernels.py");
EMBED_STATIC(dask_py, "share/lab/nbscope_dask.py");
EMBED_STATIC(spark_py, "share/lab/spark_log.py");
EMBED_STATIC(prefix_py, "share/lab/kernel_prefix.py");
EMBED_STATIC(module_py, "share/lab/run_module.py");
EMBED_STATIC(server_json, "share/lab/server.json");
extern const char serve_py[], kernels_py[], dask_py[], spark_py[], prefix_py[], module_py[],
    server_json[];

char *
xpyenv_put_files(const char *dir)
{
	free(xhold_put_file(dir, "nbscope_kernels.py", kernels_py, strlen(kernels_py)));
	free(xhold_put_file(dir, "nbscope_dask.py", dask_py, strlen(dask_py)));
	free(xhold_put_file(dir, "spark_log.py", spark_py, strlen(spark_py)));
	free(xhold_put_file(dir, "kernel_prefix.py", prefix_py, strlen(prefix_py)));
	free(xhold_put_file(dir, "run_module.py", module_py, strlen(module_py)));
	free(xhold_put_file(dir, "server.json", server_json, strlen(server_json)));
	return xhold_put_file(dir, "serve.py", serve_py, strlen(serve_py));
}

/* What serve.py reports about the environment: versions and folders. */
static json_t *
xprobe(char *python, const char *dir, uint64_t end_ns)
{
	char *log = xasprintf("%s/probe.log", dir);
	char *serve = xpyenv_put_files(dir);
	char *argv[] = {python, serve, "probe", NULL};
	pid_t pid = hold_spawn(argv, NULL, log);
	if (pid < 0)
		die(ST_SYSTEM, "cannot start '%s':", python);
	while (hold_alive(pid) && clock_monotonic_ns() < end_ns)
		clock_pause_ms(STEP_MS);
	hold_end(pid, 0);
	/* Warnings of the environment may precede the answer. */
	char *text = hold_log_tail(log, 1 << 16), *at = strstr(text, "{\"jupyterlab\"");
	json_t *answer = at ? json_loads(at, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
	if (!answer) {
		char *tail = hold_log_tail(log, TAIL_BYTES);
		die(ST_SYSTEM, "cannot use '%s': %s", python, *tail ? tail : "it does not answer");
	}
	free(text);
	free(log);
	free(serve);
	return answer;
}

/* Returns the Python of NBSCOPE_VENV, or else of the environment made with the program. */
static char *
xown_python(void)
{
	const char *set = str_nonempty(getenv("NBSCOPE_VENV"));
	char *python = installation_python("NBSCOPE_VENV", "venv");
	if (!python && set)
		die(ST_SYSTEM, "no Python environment at '%s' (NBSCOPE_VENV): '%s setup' "
		    "makes one", set, installation_command());
	if (!python)
		die(ST_SYSTEM, "no JupyterLab was installed with this program: '%s setup' "
		    "installs it; --venv names an environment that has one",
		    installation_command());
	return python;
}

static void
xfind_users(struct pyenv *p, const char *venv, const char *dir, uint64_t end_ns)
{
	p->dir = realpath(venv, NULL);
	char *python = p->dir ? installation_python_of(p->dir) : NULL;
	if (!python)
		die(ST_SYSTEM, "'%s' is not a Python environment: it has no bin/python", venv);
	json_t *answer = xprobe(python, dir, end_ns);
	const char *lab = json_string_value(json_object_get(answer, "jupyterlab"));
	if (lab && lab_is_too_old(lab))
		die(ST_SYSTEM, "JupyterLab %s of '%s' is too old: at least " LAB_MIN_VERSION
		    " is required", lab, venv);
	if (!lab && !json_is_string(json_object_get(answer, "ipykernel")))
		die(ST_SYSTEM, "'%s' has neither jupyterlab nor ipykernel: '%s -m pip install "
		    "ipykernel' is enough", venv, python);
	p->data = json_incref(json_object_get(answer, "data"));
	p->borrowed = p->own = !lab;
	p->lab_python = python;
	if (p->own) {
		p->lab_python = xown_python();
		free(python);
	}
	json_decref(answer);
}

void
xpyenv_find(struct pyenv *p, const char *venv, const char *dir, uint64_t end_ns)
{
	*p = (struct pyenv){.own = true};
	if (venv) {
		xfind_users(p, venv, dir, end_ns);
		return;
	}
	p->lab_python = xown_python();
	p->dir = xasprintf("%.*s", (int)(strlen(p->lab_python) - strlen("/bin/python")),
	    p->lab_python);
	p->data = json_pack("[o]", json_sprintf("%s/share/jupyter", p->dir));
}
