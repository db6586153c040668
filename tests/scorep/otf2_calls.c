/* otf2_calls: writes an OTF2 archive, for the substitute for Score-P.
 * Usage: otf2_calls FOLDER, with a line "E|L MICROSECONDS NAME" for each enter and leave. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 1000, MAX_BYTES = 256 };

static char names[MAX_NAMES][MAX_BYTES];
static unsigned n_names;
static unsigned long long first, last, events;

static OTF2_FlushType
may_flush(void *with, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)with, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

static unsigned
name_id(const char *name)
{
	unsigned i = 0;
	while (i < n_names && strcmp(names[i], name) != 0)
		i++;
	if (i == n_names && n_names < MAX_NAMES - 1)
		snprintf(names[n_names++], MAX_BYTES, "%s", name);
	return i;
}

static void
write_events(OTF2_EvtWriter *w)
{
	char line[MAX_BYTES + 64], name[MAX_BYTES], kind;
	unsigned long long t;
	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "%c %llu %255[^\n]", &kind, &t, name) != 3)
			continue;
		first = events++ ? first : t;
		last = t;
		if (kind == 'E')
			OTF2_EvtWriter_Enter(w, NULL, t, name_id(name));
		else
			OTF2_EvtWriter_Leave(w, NULL, t, name_id(name));
	}
}

static void
write_definitions(OTF2_Archive *a)
{
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a);
	unsigned empty = name_id("");
	for (unsigned i = 0; i < n_names; i++)
		OTF2_GlobalDefWriter_WriteString(w, i, names[i]);
	for (unsigned i = 0; i < empty; i++)
		OTF2_GlobalDefWriter_WriteRegion(w, i, i, i, empty, OTF2_REGION_ROLE_FUNCTION,
		    OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, empty, 0, 0);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, empty, empty, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
#if OTF2_VERSION_MAJOR >= 3
	OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000, first, last - first + 1,
	    OTF2_UNDEFINED_TIMESTAMP);
	OTF2_GlobalDefWriter_WriteLocationGroup(w, 0, empty, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
	    OTF2_UNDEFINED_LOCATION_GROUP);
#else
	OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000, first, last - first + 1);
	OTF2_GlobalDefWriter_WriteLocationGroup(w, 0, empty, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0);
#endif
	OTF2_GlobalDefWriter_WriteLocation(w, 0, empty, OTF2_LOCATION_TYPE_CPU_THREAD, events, 0);
}

int
main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = may_flush};
	if (argc != 2)
		return 2;
	OTF2_Archive *a = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
	    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!a)
		return 4;
	OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(a);
	OTF2_Archive_OpenEvtFiles(a);
	OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, 0);
	write_events(w);
	OTF2_Archive_CloseEvtWriter(a, w);
	OTF2_Archive_CloseEvtFiles(a);
	OTF2_Archive_OpenDefFiles(a);
	OTF2_Archive_CloseDefWriter(a, OTF2_Archive_GetDefWriter(a, 0));
	OTF2_Archive_CloseDefFiles(a);
	write_definitions(a);
	return OTF2_Archive_Close(a) == OTF2_SUCCESS ? 0 : 4;
}
