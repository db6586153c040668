#!/bin/sh
# compare.sh [STEP...]: compares a version of a project, the head, with the one before it, the base:
# on this machine, by interleaved runs. Run it in a checkout of the head, with git's history of the
# base or a remote to fetch it from. action.yml, gitlab.yml and Jenkinsfile call it. It is part of
# the nbscope that measures: that of the Python environment in which the wheel is installed. In a
# checkout of nbscope it installs WHEEL into such an environment, in NBSCOPE_CACHE (by default as for
# nbscope).
# Without a STEP it does all, in this order:
#   tools     installs git, make, Python and, for GitHub, gh where they are missing (Debian, as root)
#   prepare   checks out base and head below .nbscope, and keeps the settings
#   setup     installs nbscope's wheel, if it is not, and what nbscope needs
#   measure   make ab of both; of the head alone where the base cannot be measured
#   report    writes .nbscope/{comment.md,junit.xml,report/}
#   comment   comments on the pull request of GitHub, or renews its comment
#   history   appends both versions to the history
#   verdict   ends with status 1 or 6 as FAIL_ON says, 4 if nothing could be measured
# In the environment:
#   WHEEL     in a checkout of nbscope: a file or an address of a wheel; empty: make wheel makes it
#   USECASE   a use case's folder, or a notebook or script, below the checkout
#   PACKAGES  requirements of pip; folders are those of base and head (default .)
#   BASE_REF  a commit, branch or tag (default: the head's first parent)
#   FAIL_ON   worse (default) or unknown
#   HISTORY   a branch, or a folder (with a /), that has the history; empty: none
#   GH_TOKEN, PR   token and number of a pull request to comment on
#   GATE, MAX_TIME, REPEAT, WHERE, BROWSER ...   as for make
set -eu
nbscope=$(cd "${0%/*}/../.." && pwd) project=$PWD work=$PWD/.nbscope
export NBSCOPE_CACHE="${NBSCOPE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/nbscope}"
case $nbscope in
*/share/nbscope) prefix=${nbscope%/share/nbscope} ;;
*) prefix=$NBSCOPE_CACHE/ci ;;
esac
# jq is in the wheel.
PATH=$prefix/bin:$PATH:$prefix/share/nbscope/bin
# A runner's checkout belongs to another user than the container's.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

say() { echo "nbscope: $*"; }
die() {
	say "$@" >&2
	exit 2
}
# keep NAME...: keeps variables for later steps.
keep() {
	for name; do
		value=
		eval "value=\${$name-}"
		printf "%s='%s'\n" "$name" "$(printf %s "$value" | sed "s/'/'\\\\''/g")"
	done >>"$work/state"
}
# What nbscope reads in the environment, too, it would take for settings of its own. A file .env of
# the project is not for it.
nb() (
	cd "$work"
	exec env -u USECASE -u PACKAGES -u HISTORY -u BASE_REF -u GH_TOKEN \
		"$prefix/bin/nbscope" "$@" "$what=$path"
)

step_tools() {
	for tool in git make ${GITHUB_ACTIONS:+gh} python3; do
		command -v "$tool" >/dev/null || break
	done
	{ [ "$tool" = python3 ] && python3 -c 'import ensurepip' 2>/dev/null; } || {
		apt-get -q update
		apt-get -q install -y --no-install-recommends ca-certificates git make gh \
			python3-venv
	}
}

# name_of COMMIT: its tag, or its number and date, as a label.
name_of() {
	tag=$(git describe --tags --exact-match "$1" 2>/dev/null) ||
		tag=$(git show -s --format=%h-%cd --date=format:%Y%m%d --abbrev=7 "$1")
	printf %s "$tag" | tr -c 'A-Za-z0-9._-' - | sed 's/^[.-]/_/'
}
commit_of() { git rev-parse --verify --quiet "$1^{commit}"; }
# The head's first parent is the target of a pull request whose merge GitHub made. A pushed branch
# may be new (a commit of zeros), or have lost its former commit.
find_base() {
	case ${BASE_REF-} in
	*[!0]*)
		commit_of "origin/$BASE_REF" || commit_of "$BASE_REF" ||
			{ git fetch -q --depth=1 origin "$BASE_REF" && commit_of FETCH_HEAD; } ||
			commit_of 'HEAD^1' ;;
	*)
		commit_of 'HEAD^1' || { git fetch -q --deepen=1 && commit_of 'HEAD^1'; } ;;
	esac 2>/dev/null || :
}
step_prepare() {
	[ "${USECASE-}" ] || die "USECASE is required: a folder of the project, or a notebook"
	rm -rf "$work" && mkdir -p "$work" && git worktree prune
	grep -qxs /.nbscope "$(git rev-parse --git-path info/exclude)" ||
		echo /.nbscope >>"$(git rev-parse --git-path info/exclude)"
	head=$(commit_of HEAD) || die "the head is not a commit of git"
	base=$(find_base)
	git worktree add -q --detach "$work/head" "$head"
	[ -z "$base" ] || git worktree add -q --detach "$work/base" "$base"
	A=${base:+$(name_of "$base")} B=$(name_of "$head")
	# The runs are in a copy: what they write is no change of the project.
	from=$work/head/$USECASE what=USECASE
	[ -e "$from" ] || die "there is no '$USECASE' in $head"
	if [ -d "$from" ]; then
		path=$work/run/$(basename "$from")
	else
		what=NOTEBOOK path=$work/run/notebook/$(basename "$from") from=$(dirname "$from")
	fi
	mkdir -p "$work/run"
	cp -R "$from" "$work/run/$([ $what = USECASE ] && basename "$path" || echo notebook)"
	PACKAGES=${PACKAGES:-.} FAIL_ON=${FAIL_ON:-worse} ALLOW=${ALLOW-packages}
	keep base head A B what path USECASE PACKAGES FAIL_ON ALLOW HISTORY GATE MAX_TIME WHEEL
}

# Names for the cache of what setup makes, and for the artifact.
key_of_nbscope() {
	{
		echo "${WHEEL-}"
		[ ! -f "${WHEEL-}" ] || cat "$WHEEL"
		cd "$nbscope" && find . \( -name build -o -name '.?*' \) -prune -o -type f -exec \
			cksum {} + | sort
	} | cksum | tr ' ' -
}
step_cache() {
	echo "path=$NBSCOPE_CACHE"
	echo "key=nbscope-$(key_of_nbscope)"
	echo "artifact=nbscope-$(basename "$(results)")"
}
install_wheel() {
	wheel=${WHEEL-}
	if [ ! "$wheel" ]; then
		arch=$(uname -m)
		make --no-print-directory -C "$nbscope" wheel WHEEL_ARCH="$arch"
		wheel=$(echo "$nbscope/build/dist/nbscope-$(cat "$nbscope/VERSION")"-*_"$arch".whl)
	fi
	[ -x "$prefix/bin/python" ] || python3 -m venv "$prefix"
	"$prefix/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall \
		--no-deps "$wheel"
	key_of_nbscope >"$prefix/.key"
}
step_setup() {
	[ "$nbscope" = "$prefix/share/nbscope" ] ||
		[ "$(cat "$prefix/.key" 2>/dev/null)" = "$(key_of_nbscope)" ] || install_wheel
	nb setup
}

# packages_of SIDE: the requirements, of which folders are those of the side's checkout.
packages_of() (
	set -f
	cd "$work/$1"
	for word in $PACKAGES; do
		if [ -d "${word%%\[*}" ]; then
			printf ' %s' "$work/$1/${word#./}" | sed 's#/\.$##; s#/\.\[#[#'
		else
			printf ' %s' "$word"
		fi
	done
)
# The folder of the results.
results() {
	if [ "$what" = USECASE ]; then
		printf %s "$path"
	else
		printf %s "${path%/*}/nbscope/$(basename "$path" .ipynb)"
	fi
}
step_measure() {
	status=0 note='' against=''
	new="WITH_$B=$(packages_of head)"
	nb env LABEL="$B" "$new" >"$work/log" 2>&1 || {
		cat "$work/log"
		status=4 note="the head does not install: $(tail -n 1 "$work/log")"
		keep status note against
		return
	}
	if [ ! "$base" ] || [ "$base" = "$head" ]; then
		note="there is no other version to compare with"
	elif old="WITH_$A=$(packages_of base)" &&
		! nb env LABEL="$A" "$old" >"$work/log" 2>&1; then
		cat "$work/log"
		note="the base ($A) does not install: $(grep -v '^ *$' "$work/log" | tail -n 1)"
	else
		against=$(results)/metrics/$B/against-$A
		nb ab A="$A" B="$B" "$old" "$new" || status=$?
		if [ -e "$against/verdict.json" ]; then
			status=$(jq -r '{no_worse: 0, worse: 1, unknown: 6}[.verdict]' \
				"$against/verdict.json")
		else
			status=4 against='' note="nothing was measured: make ab failed"
		fi
	fi
	# Then it is at least known whether the head's notebooks run.
	if [ "$status" = 0 ] && [ ! "$against" ]; then
		status=6
		nb profile LABEL="$B" "$new" || status=1
	fi
	keep status note against
}

step_report() {
	metrics=$(results)/metrics/$B/metrics.jsonl
	rm -rf "$work/report"
	{
		printf '<!-- nbscope %s -->\n' "$USECASE"
		[ ! "$note" ] || printf '**nbscope: nothing was compared**: %s\n\n' "$(
			printf %s "$note" | tr -d '<>`*_|[]\\@&' | cut -c 1-500)"
		[ ! "$against" ] || cat "$against/comparison.md"
		if [ -e "$metrics" ]; then
			metricjunit -o "$work/junit.xml" \
				--markdown-to "$work/summary.md" --title "nbscope ($B)" "$metrics" \
				${against:+"$against/comparison.jsonl"}
			echo
			cat "$work/summary.md"
		fi
	} >"$work/comment.md"
	[ ! "${GITHUB_STEP_SUMMARY-}" ] || cat "$work/comment.md" >>"$GITHUB_STEP_SUMMARY"
	[ ! -e "$metrics" ] || { nb report LABEL="$B" "WITH_$B=$(packages_of head)" \
		${against:+BASE="$A"} && cp -R "$(results)/report/$B" "$work/report"; } ||
		say "there is no report"
}

# A pull request from a fork may not comment; the job's summary has the same text.
step_comment() {
	[ "${GH_TOKEN-}" ] && [ "${PR-}" ] || return 0
	head -c 60000 "$work/comment.md" | jq -Rs '{body: .}' >"$work/comment.json"
	comments=repos/$GITHUB_REPOSITORY/issues/$PR/comments
	id=$(gh api --paginate "$comments" | jq -r --rawfile new "$work/comment.md" '.[] |
		select(.body | startswith($new | split("\n")[0])) | .id' | tail -n 1) || :
	if [ "$id" ]; then
		gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" \
			--input "$work/comment.json"
	else
		gh api "$comments" --input "$work/comment.json"
	fi >/dev/null || say "no comment: this job may not write one"
}

# append_to FOLDER: adds both versions to the history of the use case there, and draws it.
append_to() {
	name=$(basename "$(results)")
	mkdir -p "$1/$name"
	set -- "$1/$name/index.html" "$1/$name/history.jsonl" \
		"$(results)/metrics/$B/metrics.jsonl"
	[ ! "$against" ] || set -- "$@" "$(results)/metrics/$A/metrics.jsonl" \
		"$against/comparison.jsonl"
	mkdir -p "$work/scratch"
	NBSCOPE_SCRATCH=$work/scratch "$prefix/share/nbscope/mk/show/write-history.sh" "$@"
}
as_nbscope() { git -c user.name=nbscope -c user.email=nbscope@localhost "$@"; }
# Another job may push meanwhile: then its state is fetched, and appended to.
append_to_branch() {
	tree=$work/branch
	git worktree remove --force "$tree" 2>/dev/null || :
	if git fetch -q --depth=1 origin "refs/heads/$HISTORY" 2>/dev/null; then
		from=FETCH_HEAD
	else
		from=$(as_nbscope commit-tree -m 'Begin a history' \
			"$(git hash-object -w -t tree /dev/null)")
	fi
	git worktree add -q --detach "$tree" "$from" && append_to "$tree" &&
		git -C "$tree" add -A || return
	git -C "$tree" diff --cached --quiet ||
		as_nbscope -C "$tree" commit -q -m "Add $B" || return
	git -C "$tree" push -q origin "HEAD:refs/heads/$HISTORY"
}
step_history() {
	[ "$HISTORY" ] && [ -e "$(results)/metrics/$B/metrics.jsonl" ] || return 0
	case $HISTORY in
	*/*) append_to "$HISTORY" ;;
	*)
		for try in 1 2 3 4 5; do
			! append_to_branch || return 0
			sleep "$try"
		done
		say "the history was not written: this job may not push to '$HISTORY'" ;;
	esac
}

step_verdict() {
	[ ! "$note" ] || say "$note"
	[ ! "$against" ] || jq -r .line "$against/verdict.json"
	case $status/$FAIL_ON in 6/worse) status=0 ;; esac
	exit "$status"
}

[ $# -gt 0 ] || set -- tools prepare setup measure report comment history verdict
for step; do
	case $step in
	tools | prepare) ;;
	cache | setup | measure | report | comment | history | verdict)
		# shellcheck disable=SC1091  # what `keep` wrote
		. "$work/state"
		export FAIL_ON ALLOW GATE MAX_TIME ;;
	*) die "there is no step '$step'" ;;
	esac
	cd "$project"
	"step_$step"
done
