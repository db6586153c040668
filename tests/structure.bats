# bats file_tags=quick
# The rules of tools/lib/rooms and CONTRIBUTING.md; see tests/structure.
load helpers

setup() {
	cd "$ROOT" || return
	[ "$BIN" = "$ROOT/build/bin" ] || skip 'only with the plain build'
}

@test "a room includes and calls only what the table of rooms allows" { tests/structure rooms; }
@test "no modules need each other in a circle" { tests/structure cycles; }
@test "each module of a room serves at least two programs" { tests/structure shared; }
@test "each module has its own header, and no header declares another module's functions" { tests/structure headers; }
@test "external functions carry the name of their module" { tests/structure names; }
@test "a struct tag has one meaning" { tests/structure tags; }
@test "lines have at most 100 columns" { tests/structure columns; }
