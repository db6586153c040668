/* profile_place.c: whose code a file is, and how it is called. */
#include "profile/profile_place.h"
#include "base/die.h"
#include "base/str.h"

/* After the last "/NAME/" of the path; NULL: there is none. */
static const char *
after_folder(const char *path, const char *name)
{
	const char *after = NULL;
	for (const char *p = path; (p = strstr(p, name)); p++)
		after = p + strlen(name);
	return after;
}

/* The path from the package's name on; NULL: it is not installed. */
static const char *
installed(const char *file)
{
	const char *site = after_folder(file, "/site-packages/");
	return site ? site : after_folder(file, "/dist-packages/");
}

/* After ".../lib/python3.11/"; NULL: it is not of the standard library. */
static const char *
standard(const char *file)
{
	const char *p = after_folder(file, "/lib/python3");
	if (!p)
		p = after_folder(file, "/lib64/python3");
	p = p ? p + strspn(p, ".0123456789t") : NULL;
	return p && *p == '/' && !installed(file) ? p + 1 : NULL;
}

/* What a sampler of native code names, such as Python's own "/tmp/build/Modules/selectmodule.c". */
static bool
is_native_source(const char *file)
{
	static const char *const ends[] = {".c", ".h", ".cc", ".cpp", ".rs"};
	bool is = false;
	for (size_t i = 0; i < COUNT(ends); i++)
		is = is || str_ends_with(file, ends[i]);
	return is && *file == '/' && !installed(file);
}

enum profile_owner
profile_place_owner(const char *file)
{
	static const char *const kernel[] = {"IPython/", "ipykernel/", "ipykernel_launcher.py",
		"tornado/", "jupyter_client/", "zmq/", "line_profiler/", "memray/", "debugpy/",
		"_distutils_hack/"};
	if (strcmp(file, "~") == 0 || is_native_source(file))
		return OWNER_BUILTIN;
	if (strncmp(file, "<cell ", 6) == 0)
		return OWNER_CELL;
	const char *package = installed(file);
	for (size_t i = 0; package && i < COUNT(kernel); i++)
		if (strncmp(package, kernel[i], strlen(kernel[i])) == 0)
			return OWNER_KERNEL;
	return *file == '<' || standard(file) ? OWNER_STANDARD : OWNER_PACKAGE;
}

long
profile_place_cell(const char *file)
{
	return profile_place_owner(file) == OWNER_CELL ?
	    strtol(file + strlen("<cell "), NULL, 10) : 0;
}

bool
profile_place_is_installed(const char *file)
{
	return installed(file) != NULL;
}

const char *
profile_place_short(const char *file)
{
	const char *in_package = installed(file), *in_standard = standard(file), *p;
	int names = 3;
	if (in_package || in_standard || *file != '/')
		return in_package ? in_package : in_standard ? in_standard : file;
	for (p = file + strlen(file); p > file && names > 0; p--)
		names -= p[-1] == '/';
	return names > 0 ? file : p + 1;
}

char *
profile_place_frame(const char *frame, enum profile_owner *owner)
{
	const char *at = strstr(frame, " ("), *end = strrchr(frame, ':');
	const char *version = at ? strchr(at + 2, ' ') : NULL;	/* "draw (bqplot 0.5.48)" */
	*owner = OWNER_BUILTIN;
	if (!at || !end || end < at) {
		if (version && version[1] >= '0' && version[1] <= '9')
			*owner = OWNER_PACKAGE;
		return xstrdup(frame);
	}
	char *file = xasprintf("%.*s", (int)(end - at - 2), at + 2);
	char *name = xasprintf("%.*s (%s%s", (int)(at - frame), frame,
	    profile_place_short(file), end);
	*owner = profile_place_owner(file);
	free(file);
	return name;
}
