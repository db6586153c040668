/* pyenv.c: the Python environment that a JupyterLab of ours runs in.
 *
 * share/lab stands inside the program, so that it runs wherever it is
 * installed; the interpreter alone has to be found.
 */
#include "pyenv.h"
#include "embed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEP_MS = 5, TAIL_BYTES = 300 };

EMBED(lab_serve_py, "share/lab/serve.py");
EMBED(lab_kernels_py, "share/lab/nbscope_kernels.py");
EMBED(lab_server_json, "share/lab/server.json");
EMBED(lab_overrides_json, "share/lab/overrides.json");

char *
xput_file(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	struct saving s;
	if (save_open(&s, path) != 0 || fputs(text, s.f) == EOF || save_commit(&s) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	return path;
}

static bool
has_python(const char *dir)
{
	char *path = xasprintf("%s/bin/python", dir);
	bool has = access(path, X_OK) == 0;
	free(path);
	return has;
}

/* NBSCOPE_VENV, else what lies beside the program: build/venv beside build/bin,
 * share/nbscope/venv beside an installed bin. */
static char *
xown_dir(void)
{
	static const char *const beside[] = {"venv", "share/nbscope/venv"};
	const char *set = getenv("NBSCOPE_VENV");
	char *bin = realpath("/proc/self/exe", NULL), *dir = NULL;
	if (set && *set) {
		if (!(dir = realpath(set, NULL)) || !has_python(dir))
			die(ST_SYSTEM, "no Python environment at '%s' (NBSCOPE_VENV): 'make setup' makes one", set);
		free(bin);
		return dir;
	}
	for (int up = 0; bin && up < 2 && strrchr(bin, '/'); up++)
		*strrchr(bin, '/') = '\0';
	for (size_t i = 0; bin && i < COUNT(beside); i++) {
		dir = xasprintf("%s/%s", bin, beside[i]);
		if (has_python(dir)) {
			free(bin);
			return dir;
		}
		free(dir);
	}
	die(ST_SYSTEM, "no JupyterLab at '%s/venv': 'make setup' installs it, NBSCOPE_VENV names another place", bin ? bin : "");
}

/* What serve.py says of the environment: versions and folders. */
static json_t *
xprobe(const char *python, const char *serve, const char *dir, uint64_t end_ns)
{
	char *log = xasprintf("%s/probe.log", dir), *argv[] = {xstrdup(python), xstrdup(serve), xstrdup("probe"), NULL};
	pid_t pid = hold_spawn(argv, NULL, log);
	if (pid < 0)
		die(ST_SYSTEM, "cannot start '%s':", python);
	while (hold_alive(pid) && now_ns() < end_ns)
		pause_ms(STEP_MS);
	hold_end(pid, 0);
	/* Warnings of the environment's own may stand before it. */
	char *text = log_tail(log, 1 << 16), *at = strstr(text, "{\"jupyterlab\"");
	json_t *said = at ? json_loads(at, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
	if (!said) {
		char *tail = log_tail(log, TAIL_BYTES);
		die(ST_SYSTEM, "cannot use '%s': %s", python, *tail ? tail : "it does not answer");
	}
	free(text);
	free(log);
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	return said;
}

static void
xfind_theirs(struct pyenv *p, const char *venv, const char *dir, uint64_t end_ns)
{
	if (!(p->dir = realpath(venv, NULL)) || !has_python(p->dir))
		die(ST_SYSTEM, "'%s' is not a Python environment: it has no bin/python", venv);
	char *python = xasprintf("%s/bin/python", p->dir), *serve = xput_file(dir, "serve.py", lab_serve_py);
	json_t *said = xprobe(python, serve, dir, end_ns);
	const char *lab = json_string_value(json_object_get(said, "jupyterlab"));
	if (lab && lab_too_old(lab))
		die(ST_SYSTEM, "JupyterLab %s of '%s' is too old: " OLDEST_LAB " is the oldest that works", lab, venv);
	if (!lab && !json_is_string(json_object_get(said, "ipykernel")))
		die(ST_SYSTEM, "'%s' has neither jupyterlab nor ipykernel: '%s -m pip install ipykernel' is enough", venv, python);
	p->data = json_incref(json_object_get(said, "data"));
	p->borrowed = p->own = !lab;
	p->lab_python = python;
	if (p->own) {
		char *own = xown_dir();
		p->lab_python = xasprintf("%s/bin/python", own);
		free(own);
		free(python);
	}
	json_decref(said);
	free(serve);
}

void
xfind_pyenv(struct pyenv *p, const char *venv, const char *dir, uint64_t end_ns)
{
	*p = (struct pyenv){.own = true};
	if (venv) {
		xfind_theirs(p, venv, dir, end_ns);
		return;
	}
	p->dir = xown_dir();
	p->lab_python = xasprintf("%s/bin/python", p->dir);
	char *share = xasprintf("%s/share/jupyter", p->dir);
	p->data = json_pack("[s]", share);
	free(share);
}
