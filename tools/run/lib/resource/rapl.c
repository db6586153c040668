/* rapl.c: the package, dram and psys counters of powercap, none of them counted twice. */
#include "resource/rapl.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "resource/procfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#define POWERCAP "/sys/class/powercap"
enum { MAX_ZONES = 512, MAX_DOMAINS = 128, NAME_BYTES = 64, MIRROR_UJ = 1000000 };
enum { MAX_W = 10000, MIN_ELAPSED_NS = 1000000000 };	/* of a counter that wrapped around */

/* One folder, intel-rapl:0 or intel-rapl:0:2, of either driver. */
struct zone {
	char folder[NAME_BYTES];
	char name[NAME_BYTES];	/* what it counts: package-0, psys, core, dram */
	char label[2 * NAME_BYTES + 8];	/* the same, made unique: dram of package-0 */
};

struct domain {
	struct procfile file;
	uint64_t last_uj, last_ns, max_uj, sum_uj;
};

struct rapl {
	struct domain domain[MAX_DOMAINS];
	size_t n;
	struct buf names;
};

static struct procfile
zone_file(const struct zone *z, const char *file)
{
	char *path = xasprintf(POWERCAP "/%s/%s", z->folder, file);
	struct procfile f = procfile_open(path);
	free(path);
	return f;
}

/* A small file's text. */
static bool
zone_text(const struct zone *z, const char *file, char text[PROCFILE_BYTES])
{
	struct procfile f = zone_file(z, file);
	bool known = procfile_read(&f, text);
	procfile_close(&f);
	return known;
}

static bool
parse_number(const char *text, uint64_t *value)
{
	char *end;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && end != text && (*end == '\0' || *end == '\n') && *text != '-';
}

static bool
zone_number(const struct zone *z, const char *file, uint64_t *value)
{
	char text[PROCFILE_BYTES];
	return zone_text(z, file, text) && parse_number(text, value);
}

static bool
zone_is(const struct zone *z, const char *kind)
{
	return strncmp(z->name, kind, strlen(kind)) == 0;
}

/* Two drivers may show the same counters: intel-rapl (registers) sorts before
 * intel-rapl-mmio (memory). */
static int
compare_zones(const void *a, const void *b)
{
	const struct zone *x = a, *y = b;
	int mmio_x = strncmp(x->folder, "intel-rapl:", 11) != 0;
	int mmio_y = strncmp(y->folder, "intel-rapl:", 11) != 0;
	return mmio_x != mmio_y ? mmio_x - mmio_y : strcmp(x->folder, y->folder);
}

/* dram lies in a package's folder but not in its counter: "dram of package-0". */
static void
set_label(struct zone *z, const struct zone *all, size_t n)
{
	snprintf(z->label, sizeof z->label, "%s", z->name);
	size_t parent = (size_t)(strrchr(z->folder, ':') - z->folder);
	for (size_t i = 0; i < n; i++) {
		const char *folder = all[i].folder;
		if (strlen(folder) == parent && strncmp(folder, z->folder, parent) == 0)
			snprintf(z->label, sizeof z->label, "%s of %s", z->name, all[i].name);
	}
}

/* Reads all zones, sorted.  Returns how many there are, or 0 and the reason. */
static size_t
read_zones(struct zone all[MAX_ZONES], char *reason, size_t size)
{
	char *root = procfile_path(POWERCAP), text[PROCFILE_BYTES];
	DIR *d = opendir(root);
	size_t n = 0;
	if (!d)
		snprintf(reason, size, "no RAPL: cannot open '%s': %s", root, strerror(errno));
	else
		snprintf(reason, size, "no RAPL: '%s' has no package", root);
	for (struct dirent *e; d && n < MAX_ZONES && (e = readdir(d));) {
		struct zone *z = &all[n];
		if (strncmp(e->d_name, "intel-rapl", 10) != 0 || !strchr(e->d_name, ':') ||
		    strlen(e->d_name) >= sizeof z->folder)
			continue;
		snprintf(z->folder, sizeof z->folder, "%.*s", (int)sizeof z->folder - 1, e->d_name);
		if (zone_text(z, "name", text))
			snprintf(all[n++].name, NAME_BYTES, "%.*s", (int)strcspn(text, "\n"), text);
	}
	if (d)
		closedir(d);
	free(root);
	qsort(all, n, sizeof *all, compare_zones);
	for (size_t i = 0; i < n; i++)
		set_label(&all[i], all, n);
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
	char text[PROCFILE_BYTES];
	if (!procfile_read(&d->file, text))
		return false;
	bool known = parse_number(text, uj);
	d->file.error = known ? 0 : EINVAL;
	return known;
}

static bool
add_domain(struct rapl *r, const struct zone *z, char *reason, size_t size)
{
	struct domain *d = &r->domain[r->n];
	*d = (struct domain){.file = zone_file(z, "energy_uj")};
	r->n++;
	if (!domain_read(d, &d->last_uj)) {
		snprintf(reason, size, "cannot read '%s': %s%s", d->file.path,
		    strerror(d->file.error),
		    d->file.error == EACCES ? " (only root may since Linux 5.10)" : "");
		return false;
	}
	/* A hypervisor may return 0 for every register that it does not know. */
	if (d->last_uj == 0) {
		snprintf(reason, size, "'%s' counts nothing", d->file.path);
		return false;
	}
	if (!zone_number(z, "max_energy_range_uj", &d->max_uj))
		d->max_uj = 0;
	buf_addf(&r->names, "%s%s", r->names.n ? ", " : "", z->label);
	return true;
}

/* Some processors show one package's counter once per die.  Two separate counters are less than
 * a joule apart on fewer than one machine in 10,000. */
static bool
is_mirror(const struct zone *all, size_t i)
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

/* A package includes core and uncore, and psys includes the packages.  Packages are preferred
 * because many machines have a psys that is not connected to anything. */
static bool
is_counted(const struct zone *all, size_t n, size_t i)
{
	bool packages = false;
	for (size_t k = 0; k < n; k++)
		packages = packages || zone_is(&all[k], "package");
	if (!first_of_label(all, i))
		return false;
	if (!packages)
		return zone_is(&all[i], "psys");
	return zone_is(&all[i], "dram") || (zone_is(&all[i], "package") && !is_mirror(all, i));
}

struct rapl *
rapl_open(char *reason, size_t size)
{
	struct zone *all = xmalloc(MAX_ZONES * sizeof *all);
	size_t n = read_zones(all, reason, size);
	struct rapl *r = xmalloc(sizeof *r);
	*r = (struct rapl){.n = 0};
	bool whole = true;
	for (size_t i = 0; i < n && whole; i++)
		if (is_counted(all, n, i))
			whole = r->n < MAX_DOMAINS && add_domain(r, &all[i], reason, size);
	free(all);
	/* The sum of some of the domains would look like the whole. */
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
		d->last_ns = clock_monotonic_ns();
		d->sum_uj = 0;
	}
}

/* A counter wraps around at max_uj.  If that would mean more than MAX_W, it was reset instead. */
static bool
advance(struct domain *d)
{
	uint64_t uj, ns = clock_monotonic_ns(), elapsed_ns = ns - d->last_ns;
	if (elapsed_ns < MIN_ELAPSED_NS)
		elapsed_ns = MIN_ELAPSED_NS;
	if (!domain_read(d, &uj))
		return false;
	bool wrapped = uj < d->last_uj;
	uint64_t used_uj = wrapped ? d->max_uj - d->last_uj + uj : uj - d->last_uj;
	d->file.error = ERANGE;
	if (wrapped && d->max_uj < d->last_uj)
		return false;
	d->file.error = EOVERFLOW;
	if (wrapped && used_uj > MAX_W * (elapsed_ns / 1000))
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
		const struct procfile *f = &r->domain[i].file;
		if (!advance(&r->domain[i])) {
			snprintf(reason, size, "cannot read '%s': %s", f->path,
			    f->error == ERANGE ? "it decreased, and its range is unknown" :
			    f->error == EOVERFLOW ? "it was reset" : strerror(f->error));
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
	struct zone *all = xmalloc(MAX_ZONES * sizeof *all);
	size_t n = read_zones(all, unused, sizeof unused);
	uint64_t uw, sum = 0;
	bool known = true;
	for (size_t i = 0; i < n; i++) {
		if (!zone_is(&all[i], "package") || !first_of_label(all, i))
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
	for (size_t i = 0; i < r->n; i++)
		procfile_close(&r->domain[i].file);
	buf_free(&r->names);
	free(r);
}
