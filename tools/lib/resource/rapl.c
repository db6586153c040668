/* rapl.c: package, dram and psys counters of powercap, none counted twice. */
#include "rapl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy.h"
#include "nbscope.h"

#define POWERCAP "/sys/class/powercap"
enum { ZONES_MAX = 512, DOMAINS_MAX = 128, NAME_BYTES = 64, MIRROR_UJ = 1000000 };
enum { MOST_W = 10000 };	/* of a counter that ran over */

/* One folder intel-rapl:0 or intel-rapl:0:2, by whichever driver. */
struct zone {
	char folder[NAME_BYTES];
	char name[NAME_BYTES];	/* what it counts: package-0, psys, core, dram */
	char label[2 * NAME_BYTES + 8];	/* the same, told apart: dram of package-0 */
};

struct domain {
	int fd;
	char *path;
	uint64_t last_uj, last_ns, max_uj, sum_uj;
};

struct rapl {
	struct domain domain[DOMAINS_MAX];
	size_t n;
	struct buf names;
};

static char *
zone_path(const struct zone *z, const char *file)
{
	char *root = machine_path(POWERCAP), *path = xasprintf("%s/%s/%s", root, z->folder, file);
	free(root);
	return path;
}

/* A small file's text without its newline; false: errno says why. */
static bool
zone_text(const struct zone *z, const char *file, char *text, size_t size)
{
	char *path = zone_path(z, file);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, size - 1);
	int error = n < 0 ? errno : ENODATA;
	close(fd);
	errno = error;
	if (n <= 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static bool
number(const char *text, uint64_t *value)
{
	char *end;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && end != text && (*end == '\0' || *end == '\n') && *text != '-';
}

static bool
zone_number(const struct zone *z, const char *file, uint64_t *value)
{
	char text[32];
	return zone_text(z, file, text, sizeof text) && number(text, value);
}

static bool
is(const struct zone *z, const char *what)
{
	return strncmp(z->name, what, strlen(what)) == 0;
}

/* The same counters may be told by two drivers: intel-rapl (registers) comes
 * before intel-rapl-mmio (memory). */
static int
by_folder(const void *a, const void *b)
{
	const struct zone *x = a, *y = b;
	int mmio_x = strncmp(x->folder, "intel-rapl:", 11) != 0, mmio_y = strncmp(y->folder, "intel-rapl:", 11) != 0;
	return mmio_x != mmio_y ? mmio_x - mmio_y : strcmp(x->folder, y->folder);
}

/* dram is a part of a package's folder, not of its counter: "dram of package-0". */
static void
label(struct zone *z, const struct zone *all, size_t n)
{
	snprintf(z->label, sizeof z->label, "%s", z->name);
	const char *last = strrchr(z->folder, ':');
	size_t parent = (size_t)(last - z->folder);
	for (size_t i = 0; i < n; i++)
		if (strlen(all[i].folder) == parent && strncmp(all[i].folder, z->folder, parent) == 0)
			snprintf(z->label, sizeof z->label, "%s of %s", z->name, all[i].name);
}

/* All zones, sorted; their number, or 0 and why. */
static size_t
zones(struct zone all[ZONES_MAX], char *reason, size_t size)
{
	char *root = machine_path(POWERCAP);
	DIR *d = opendir(root);
	size_t n = 0;
	if (!d)
		snprintf(reason, size, "no RAPL: cannot open '%s': %s", root, strerror(errno));
	else
		snprintf(reason, size, "no RAPL: '%s' has no package", root);
	for (struct dirent *e; d && n < ZONES_MAX && (e = readdir(d));) {
		struct zone *z = &all[n];
		if (strncmp(e->d_name, "intel-rapl", 10) != 0 || !strchr(e->d_name, ':') ||
		    strlen(e->d_name) >= sizeof z->folder)
			continue;
		snprintf(z->folder, sizeof z->folder, "%.*s", (int)sizeof z->folder - 1, e->d_name);
		n += zone_text(z, "name", z->name, sizeof z->name);
	}
	if (d)
		closedir(d);
	free(root);
	qsort(all, n, sizeof *all, by_folder);
	for (size_t i = 0; i < n; i++)
		label(&all[i], all, n);
	return n;
}

static bool
first_of_label(const struct zone *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(all[k].label, all[i].label) == 0)
			return false;
	return true;
}

static bool
domain_read(struct domain *d, uint64_t *uj)
{
	char text[32];
	ssize_t n = pread(d->fd, text, sizeof text - 1, 0);
	if (n <= 0) {
		errno = n < 0 ? errno : ENODATA;
		return false;
	}
	text[n] = '\0';
	if (number(text, uj))
		return true;
	errno = EINVAL;
	return false;
}

static bool
add(struct rapl *r, const struct zone *z, char *reason, size_t size)
{
	struct domain *d = &r->domain[r->n];
	*d = (struct domain){.path = zone_path(z, "energy_uj")};
	d->fd = open(d->path, O_RDONLY | O_CLOEXEC);
	r->n++;
	if (d->fd < 0 || !domain_read(d, &d->last_uj)) {
		snprintf(reason, size, "cannot read '%s': %s%s", d->path, strerror(errno),
		    errno == EACCES ? " (root alone may since Linux 5.10)" : "");
		return false;
	}
	/* A hypervisor may answer so for every register that it does not know. */
	if (d->last_uj == 0) {
		snprintf(reason, size, "'%s' counts nothing", d->path);
		return false;
	}
	if (!zone_number(z, "max_energy_range_uj", &d->max_uj))
		d->max_uj = 0;
	buf_addf(&r->names, "%s%s", r->names.n ? ", " : "", z->label);
	return true;
}

/* Some processors show one package's counter once for each of its dies; two
 * counters of their own are a joule apart less than once in 10,000 machines. */
static bool
mirrored(const struct zone *all, size_t i)
{
	const char *die = strstr(all[i].name, "-die-");
	uint64_t mine, other;
	if (!die || !zone_number(&all[i], "energy_uj", &mine))
		return false;
	for (size_t k = 0; k < i; k++)
		if (strncmp(all[k].name, all[i].name, (size_t)(die - all[i].name) + 5) == 0 &&
		    zone_number(&all[k], "energy_uj", &other) && other > 0 &&
		    (mine > other ? mine - other : other - mine) < MIRROR_UJ)
			return true;
	return false;
}

/* A package has core and uncore in it, and psys has the packages: a psys that
 * the firmware left unconnected is common, so packages come first. */
static bool
wanted(const struct zone *all, size_t n, size_t i)
{
	bool packages = false;
	for (size_t k = 0; k < n; k++)
		packages = packages || is(&all[k], "package");
	if (!first_of_label(all, i))
		return false;
	if (!packages)
		return is(&all[i], "psys");
	return is(&all[i], "dram") || (is(&all[i], "package") && !mirrored(all, i));
}

struct rapl *
rapl_open(char *reason, size_t size)
{
	struct zone *all = xmalloc(ZONES_MAX * sizeof *all);
	size_t n = zones(all, reason, size);
	struct rapl *r = xmalloc(sizeof *r);
	*r = (struct rapl){.n = 0};
	bool whole = true;
	for (size_t i = 0; i < n && whole; i++)
		if (wanted(all, n, i))
			whole = r->n < DOMAINS_MAX && add(r, &all[i], reason, size);
	free(all);
	/* Part of the domains would be too little, and look like the whole. */
	if (whole && r->n > 0)
		return r;
	rapl_close(r);
	return NULL;
}

void
rapl_start(struct rapl *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct domain *d = &r->domain[i];
		uint64_t uj;
		if (domain_read(d, &uj))
			d->last_uj = uj;
		d->last_ns = now_ns();
		d->sum_uj = 0;
	}
}

/* The counter runs over at max_uj; one that was set back has no such way behind it. */
static bool
advance(struct domain *d)
{
	uint64_t uj, ns = now_ns(), past_ns = ns - d->last_ns > 1000000000 ? ns - d->last_ns : 1000000000;
	if (!domain_read(d, &uj))
		return false;
	bool over = uj < d->last_uj;
	uint64_t used_uj = over ? d->max_uj - d->last_uj + uj : uj - d->last_uj;
	errno = ERANGE;
	if (over && d->max_uj < d->last_uj)
		return false;
	errno = EOVERFLOW;
	if (over && used_uj > MOST_W * (past_ns / 1000))
		return false;
	d->sum_uj += used_uj;
	d->last_uj = uj;
	d->last_ns = ns;
	return true;
}

double
rapl_joules(struct rapl *r, char *reason, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < r->n; i++) {
		if (!advance(&r->domain[i])) {
			snprintf(reason, size, "cannot read '%s': %s", r->domain[i].path,
			    errno == ERANGE ? "it fell, and its range is not known" : errno == EOVERFLOW ? "it was set back" : strerror(errno));
			return NAN;
		}
		sum += r->domain[i].sum_uj;
	}
	return (double)sum / 1e6;
}

const char *
rapl_domains(const struct rapl *r)
{
	return r->names.p;
}

double
rapl_design_watts(void)
{
	char unused[NAME_BYTES];
	struct zone *all = xmalloc(ZONES_MAX * sizeof *all);
	size_t n = zones(all, unused, sizeof unused);
	uint64_t uw, sum = 0;
	bool known = true;
	for (size_t i = 0; i < n; i++) {
		if (!is(&all[i], "package") || !first_of_label(all, i))
			continue;
		known = known && zone_number(&all[i], "constraint_0_max_power_uw", &uw) && uw > 0;
		sum += known ? uw : 0;
	}
	free(all);
	return known && sum > 0 ? (double)sum / 1e6 : NAN;
}

void
rapl_close(struct rapl *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++) {
		if (r->domain[i].fd >= 0)
			close(r->domain[i].fd);
		free(r->domain[i].path);
	}
	buf_free(&r->names);
	free(r);
}
