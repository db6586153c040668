# bats file_tags=quick
# The Debian package, and what is asked before a release. With ALL=1: in a bare Debian 12 and 13.
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

changelog() { SOURCE_DATE_EPOCH=1700000000 python3 "$ROOT/share/debian/changelog.py" "$@" 'A Person <a@b.c>'; }

@test "the package's changelog begins with its version, and a version without news is refused" {
	changelog "$ROOT/NEWS.md" "$(cat "$ROOT/VERSION")" >log
	[ "$(head -n 1 log)" = "nbscope ($(cat "$ROOT/VERSION")) unstable; urgency=medium" ]
	printf '# News\n\n## 2.0.0 (not released yet)\n\n- New `x`.\n\n## 1.5.0, 2026-01-02\n\n- **Old**:\n  two lines.\n' >n.md
	changelog n.md 1.5.0 >log
	printf 'nbscope (1.5.0) unstable; urgency=medium\n\n  * Old: two lines.\n\n -- A Person <a@b.c>  Fri, 02 Jan 2026 00:00:00 -0000\n\n' | diff - log
	changelog n.md 2.0.0 | grep -qF 'Tue, 14 Nov 2023'
	run -1 changelog n.md 3.0.0
	has 'says nothing about version 3.0.0'
}

@test "a release needs its version in VERSION and in the news, and all changes committed" {
	local release="$ROOT/mk/setup/make-release.sh"
	git init -q .
	printf '# News\n\n## 1.0.0 (not released yet)\n' >NEWS.md
	run -2 "$release" '' 1.0.0 make
	has 'which version? make release VERSION=1.2.3'
	run -2 "$release" 1.0.0 0.9.0 make
	has 'the file VERSION says 0.9.0, not 1.0.0'
	run -2 "$release" 1.0.0 1.0.0 make
	has "NEWS.md has no heading '## 1.0.0, YEAR-MONTH-DAY'"
	echo '## 1.0.0, 2026-12-01' >NEWS.md
	run -2 "$release" 1.0.0 1.0.0 make
	has 'not committed'
	cat >Makefile <<-'M'
	wheel deb dist html-manuals: ; @mkdir -p build/dist build/html-manuals && echo $@ >build/dist/$@
	M
	git add . && git -c user.name=a -c user.email=a@b.c commit -qm all
	RELEASE_TESTS=false run -1 "$release" 1.0.0 1.0.0 make
	[ ! -e build/release/1.0.0 ]
	RELEASE_TESTS=true "$release" 1.0.0 1.0.0 make
	(cd build/release/1.0.0 && sha256sum --quiet -c SHA256SUMS && ls | tr '\n' ' ' >"$BATS_TEST_TMPDIR/names")
	[ "$(cat names)" = 'SHA256SUMS deb dist html-manuals nbscope-1.0.0-manuals.tar.gz wheel ' ]
}

# bats test_tags=thorough
@test "the package is clean, and an ordinary user's first notebook runs in a bare Debian 12 and 13" {
	[ "$(id -u)" = 0 ] || skip 'only root can make a root file system'
	make -s -C "$ROOT" deb
	! command -v lintian || [ -z "$(lintian "$ROOT"/build/dist/*.deb 2>&1 | grep '^[EW]:')" ]
	python3 "$ROOT/tests/nb.py" own.ipynb <<<'[("code", "print(1 + 1)")]'
	for suite in bookworm trixie; do
		"$ROOT/tests/cleanroot" $suite "$PWD/$suite"
		cp "$ROOT"/build/dist/*.deb own.ipynb "$suite/data"
		"$ROOT/share/container/run" "$PWD/$suite" "$PWD/$suite/data" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -euc '
			apt-get update && apt-get install -y --no-install-recommends ./nbscope_*.deb
			useradd --create-home ann
			cp own.ipynb /home/ann && chown ann /home/ann/own.ipynb && cd /home/ann
			su ann -c "nbscope run own.ipynb BROWSER=none"' >log 2>&1 || { tail -20 log; return 1; }
		grep -q 'verdict: 1 notebook profiled, 1 cell, all completed' log
	done
}
