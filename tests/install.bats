# An installed nbscope: below a folder that is only read, used by others than who installed it.
# bats file_tags=untimed
load helpers
load make

# The environment that it is installed in has JupyterLab: links to that of the tests.
setup_file() {
	export PREFIX=$BATS_FILE_TMPDIR/prefix
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR"
	"$ROOT/build/venv/bin/python" "$ROOT/tests/linkenv.py" "$PREFIX" jupyterlab ipywidgets
	# Its Python is one that others may run.
	local python=$(basename "$PREFIX"/bin/python3.*) folder
	for folder in "$(dirname "$(readlink -f "$PREFIX/bin/$python")")" /usr/local/bin /usr/bin; do
		ln -sfn "$folder/$python" "$PREFIX/bin/$python"
		sed -i "s|^home = .*|home = $folder|" "$PREFIX/pyvenv.cfg"
		! other 1234 "$PREFIX/bin/python" -c 'import jupyterlab' || break
	done
	nb_install
}

# other UID COMMAND...: as another user, if that is possible. setpriv starts with root's rights.
other() {
	local uid=$1
	shift
	[ "$(id -u)" = 0 ] || { "$@"; return; }
	setpriv --reuid "$uid" --regid "$uid" --clear-groups env "$@"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	chmod a+x .
}

nb_install() {
	NBSCOPE_BUILD='' make --no-print-directory -C "$ROOT" install PREFIX="$PREFIX" >"$BATS_FILE_TMPDIR/installed" 2>&1 ||
		{ cat "$BATS_FILE_TMPDIR/installed"; return 1; }
	chmod -R a-w "$PREFIX"
	[ "$(id -u)" != 0 ] || chown -hR root:root "$PREFIX"
}

teardown_file() {
	chmod -R u+w "$PREFIX"
}

# as UID COMMAND...: as this ordinary user, in a folder of theirs, with nothing else in the environment.
as() {
	local uid=$1 home=$PWD/home-$1
	shift
	mkdir -p "$home/work"
	[ -e "$home/work/my.ipynb" ] ||
		echo '[("code", "import os; n = 1"), ("code", "print(n + 1)")]' | python3 "$ROOT/tests/nb.py" "$home/work/my.ipynb"
	[ "$(id -u)" != 0 ] || chown -R "$uid:$uid" "$home"
	(cd "$home/work" && other "$uid" env -i HOME="$home" PATH="$PREFIX/bin:/usr/local/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 ${NBSCOPE_CACHE:+NBSCOPE_CACHE="$NBSCOPE_CACHE"} "$@")
}

# What is below PREFIX, with owners and times.
tree() {
	find "$PREFIX" -printf '%P %y %s %U %m %T@\n' | sort
}

@test "two other users at once, one on an old kernel, who can only read its files, measure notebooks without a browser" {
	tree >before
	"${CC:-gcc}" -O2 -o enosys "$ROOT/tests/enosys.c"
	as 1234 nbscope run my.ipynb BROWSER=none >one 2>&1 &
	as 1235 "$PWD/enosys" newer getrandom memfd_create copy_file_range -- nbscope run my.ipynb --output out.ipynb -p n "a 'b'" BROWSER=none LABEL=other >two 2>&1 || { cat two; false; }
	wait "$!" || { cat one; false; }
	grep -F 'verdict: 1 notebook profiled, 2 cells, all completed' one
	grep -F 'verdict: 1 notebook profiled, 3 cells, all completed' two
	jq -e '.cells | map(.source | if type == "array" then add else . end) | any(contains("n = \"a '"'b'"'\""))' home-1235/work/out.ipynb
	grep -xF 'next: nbscope report NOTEBOOK=my.ipynb' one
	grep -xF 'next: nbscope report NOTEBOOK=my.ipynb LABEL=other' two
	[ -s home-1234/work/nbscope/my/metrics/current/cell_metrics.csv ]
	[ -s home-1235/work/nbscope/my/metrics/other/cell_metrics.csv ]
	# Neither an environment nor a program was made, for JupyterLab is where nbscope is.
	run find home-1234/.cache home-1235/.cache -type f ! -name '*.done'
	[ -z "$output" ] || has nothing
	jq -e '.python' home-1234/work/nbscope/my/runs/current/.environment.jsonl >python
	tree | diff before - >changed || { cat changed; false; }
}

@test "in the browser: a use case of one's own, and another version that is installed over the first" {
	mkdir -p "home-1234/.cache/nbscope/$("$PREFIX/bin/nbscope" --version | cut -d' ' -f2)"
	run -0 as 1234 nbscope new-usecase NAME=./my_viewer
	has 'then: nbscope plan USECASE=./my_viewer && nbscope profile USECASE=./my_viewer'
	echo '[("code", "n = {n_points_value}\ncolour = {colour_value}", ["parameters"]), ("code", "print(colour)")]' |
		python3 "$ROOT/tests/nb.py" home-1234/work/my_viewer/template.ipynb
	: >home-1234/work/my_viewer/usecase.mk
	run as 1234 nbscope profile USECASE=./my_viewer WHERE=n_points=1000 LABEL=pr; status_is 0
	has 'verdict: 1 notebook profiled'
	has 'next: nbscope report USECASE=./my_viewer LABEL=pr'
	# Newer files, another version, the same packages.
	chmod -R u+w "$PREFIX"
	nb_install
	chmod u+w "$PREFIX/share/nbscope/VERSION" "$PREFIX"/lib/python*/site-packages
	echo 99.0 >"$PREFIX/share/nbscope/VERSION"
	find "$PREFIX/share/nbscope" -type f -exec touch {} +
	run -0 as 1234 nbscope --version
	[ "$output" = 'nbscope 99.0' ]
	run as 1234 nbscope profile USECASE=./my_viewer WHERE=n_points=1000 LABEL=pr; status_is 0
	has 'verdict: 1 notebook profiled'
	[[ $output != *' cells run in '* ]] || has 'no run'
	run -0 as 1234 nbscope status USECASE=./my_viewer WHERE=n_points=1000 LABEL=pr
	# Another package is a reason.
	mkdir "$(echo "$PREFIX"/lib/python3.*/site-packages)/other-1.0.dist-info"
	run -0 as 1234 nbscope prepare USECASE=./my_viewer WHERE=n_points=1000 LABEL=pr
	run as 1234 runplan --label pr my_viewer
	[ "$(jq -r 'select(.type == "run_plan" and .required).reason' <<<"$output")" = packages ] || has '"reason":"packages"'
}

@test "the command works from a link, from another place and from a folder whose name has blanks" {
	local moved="$PWD/a moved (place)"
	mkdir -p "$moved/bin" "$PWD/bin"
	cp -R "$PREFIX/share" "$moved"
	for program in "$PREFIX"/bin/*; do
		[ -L "$program" ] || cp "$program" "$moved/bin"
	done
	ln -s "$moved/bin/nbscope" "$PWD/bin/nbscope"
	run -0 as 1234 "$PWD/bin/nbscope" generate
	has 'copied the example quickstart to usecases/quickstart'
	has 'generate: 2 notebooks in usecases/quickstart/notebooks'
	[ -w home-1234/work/usecases/quickstart/template.ipynb ]
	run -2 as 1234 "$PWD/bin/nbscope" run
	has 'which notebook? nbscope run path/to/it.ipynb'
	run -2 as 1234 "$PWD/bin/nbscope" run my.ipynb -p n
	has '-p: too few words follow it'
	run -2 as 1234 "$PWD/bin/nbscope" profil
	has "no target 'profil'; did you mean 'profile'?"
	run -2 as 1234 "$PWD/bin/nbscope" generate NO_SUCH=1
	has "there is no variable 'NO_SUCH': see 'nbscope help'"
	run -0 as 1234 "$PWD/bin/nbscope" generate NBSCOPE_SYSROOT=/
	run -2 as 1234 "$PWD/bin/nbscope" status NOTEBOOK=my.ipynb
	has "no runs of label 'current' yet: nbscope run my.ipynb"
	[[ $output != *'run my.ipynb '* ]] || has 'no more'
}

@test "nbscope alone says how to begin; it asks for no compiler, and without a browser for no fonts" {
	run -0 as 1234 nbscope
	has 'usage: nbscope TARGET [VARIABLE=value ...]'
	has '    nbscope run viewer.ipynb'
	[[ $output != *'    make '* ]] || has nothing
	run ! grep -E '^  (install|test|programs|container) ' <<<"$output"
	run -0 as 1234 nbscope -n setup BROWSER=none
	[[ $output =~ install-deps.sh\ +setup\ none ]] || has 'of what is needed'
	[[ $output != *compile* && $output != *chromium* ]] || has 'no compiler'
	run ! grep -E '^setup .*(fonts|bats|mandoc|\.h>)' "$PREFIX/share/nbscope/share/packages"
}

@test "what it makes for itself is where NBSCOPE_CACHE says, and distclean prints its size and removes it" {
	NBSCOPE_CACHE=/proc/none run -4 as 1234 nbscope
	has "'/proc/none' cannot be written: NBSCOPE_CACHE names another folder"
	NBSCOPE_CACHE=../cache run -0 as 1234 nbscope generate
	mkdir -p home-1234/cache/envs
	dd if=/dev/zero of=home-1234/cache/envs/x bs=1M count=3 status=none
	NBSCOPE_CACHE=../cache run -2 as 1234 nbscope distclean
	has "  3.1M  $PWD/home-1234/cache/envs"
	has 'nothing was removed: nbscope distclean YES=1 removes all of it'
	NBSCOPE_CACHE=../cache run -0 as 1234 nbscope distclean YES=1
	[ ! -e home-1234/cache ] && [ -e home-1234/work/usecases/quickstart ]
}

@test "the completion has each target that help names, each setting and the words that it may be" {
	cat >complete <<-'EOS'
		. "$1/share/bash-completion/completions/nbscope"
		COMP_LINE="nbscope $2" COMP_POINT=$((${#2} + 8))
		COMP_WORDS=(nbscope $2) COMP_CWORD=1
		compopt() { :; }
		_nbscope
		printf '%s\n' "${COMPREPLY[@]}"
	EOS
	as 1234 nbscope | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | grep -v '^nbscope$' | sort -u >targets
	bash complete "$PREFIX" '' | grep -vx run | sort | diff targets -
	[ "$(bash complete "$PREFIX" ENGINE=)" = $'serial\nlocal\nslurm' ]
	[ "$(bash complete "$PREFIX" ENGINE=l)" = local ]
	bash complete "$PREFIX" MAX_W | grep -xF MAX_WAIT_TIME=
	command -v zsh >/dev/null || return 0
	zsh -n "$PREFIX/share/zsh/site-functions/_nbscope"
}
