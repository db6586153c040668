# bats file_tags=quick
# The rules of tools/lib/rooms and CONTRIBUTING.md; see tests/structure.
load helpers

setup_file() {
	cd "$ROOT" || return
	[ "$BIN" = "$ROOT/build/bin" ] || skip 'only with the plain build'
	tests/structure rooms cycles shared headers names tags columns heads internal >"$BATS_FILE_TMPDIR/violations" || [ $? = 1 ]
	[ -e "$BATS_FILE_TMPDIR/violations" ]
}

# none CHECK: no violation of it is listed.
none() {
	run -1 grep "^$1: " "$BATS_FILE_TMPDIR/violations"
}

@test "a room includes and calls only what the table of rooms allows" { none rooms; }
@test "no modules need each other in a circle" { none cycles; }
@test "each module of a room serves at least two programs" { none shared; }
@test "each module has its own header, and no header declares another module's functions" { none headers; }
@test "external functions carry the name of their module" { none names; }
@test "a struct tag has one meaning" { none tags; }
@test "lines have at most 100 columns" { none columns; }
@test "the comment at the head of a source names its file" { none heads; }
@test "static functions are named for what they handle, and limits are MAX_ and MIN_" { none internal; }
