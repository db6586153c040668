# bats file_tags=quick
# The source archive: make dist.
load helpers

setup() {
	git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null || skip 'not a checkout of git'
	cd "$BATS_TEST_TMPDIR" || return
	name=nbscope-$(git -C "$ROOT" show HEAD:VERSION)
}

# archive: makes it of the last commit, in a clone, and prints its path.
archive() {
	git clone -q --shared "$ROOT" clone
	make -s -C clone dist >said
	echo "clone/build/dist/$name.tar.gz"
}

# unpacked: the archive's folder, where git is a program that fails.
unpacked() {
	tar -xzf "$(archive)"
	mkdir none
	printf '#!/bin/sh\necho "$@" >>"%s/git"\nexit 1\n' "$PWD" >none/git
	chmod +x none/git
	PATH=$PWD/none:$PATH
	cd "$name" || return
}

@test "archives of a commit have the same bytes and all of its files" {
	run -0 archive
	[ "$output" = "clone/build/dist/$name.tar.gz" ]
	cp "$output" first.tar.gz
	grep -qF "$(sha256sum <first.tar.gz | cut -d' ' -f1)" said
	touch clone/*
	(umask 077 && TZ=Asia/Tokyo make -s -C clone dist)
	cmp first.tar.gz "clone/build/dist/$name.tar.gz"
	tar -tzf first.tar.gz | sed -n "s|^$name/\(.*[^/]\)\$|\1|p" | sort >has
	git -C clone ls-files | grep -v '^\.ci/\|^\.gitattributes$' | sort >wanted
	diff wanted has
	# What is not committed is not in the archive, which dist says.
	echo x >>clone/README.md
	run -0 make -s -C clone dist
	has 'dist: the archive has the last commit, without the changes since'
	cmp first.tar.gz "clone/build/dist/$name.tar.gz"
}

@test "the archive is compiled without git, all programs of it; it cannot be archived again" {
	unpacked
	printf '#!/bin/sh\nfor word; do\n\tcase $before in -o|-MF) : >"$word"; chmod +x "$word" ;; esac\n\tbefore=$word\ndone\n' >../cc
	printf '#!/bin/sh\n: >"$2"\n' >../ar
	chmod +x ../cc ../ar
	run -0 make --no-print-directory programs CC="$PWD/../cc" AR="$PWD/../ar"
	has "setup: $(ls "$BIN" | wc -l) programs in build/bin"
	run ! make -s dist
	has 'dist: only a checkout of git can be archived'
	[ ! -e ../git ]
}

# bats test_tags=thorough
@test "programs that are built from the archive have its version, and work" {
	unpacked
	make -s programs
	run -0 build/bin/cellmetrics --version
	[ "$output" = "cellmetrics (nbscope) ${name#nbscope-}" ]
	build/bin/cellmetrics tests/data/used.jsonl >mine
	cmp mine <(cellmetrics tests/data/used.jsonl)
	[ ! -e ../git ]
}
