# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir runs
}

# planned NAME SCRIPT [MEMBERS]: the record of a due run whose driver is a shell script. It has the words
# that the driver was given in "$*" and writes records.
planned() {
	jq -nc --arg n "$1" --arg s "$2" --argjson more "${3:-{\}}" '{type: "run_plan", label: "current", due: true, skip: null, run: "runs/\($n).jsonl",
		kernel_files: "runs/\($n).files", command: [["sh", "-c", $s, "driver", "notebook"], ["runkeep", "runs/\($n).jsonl"]]} + $more'
}
# ends STATUS: the script of a driver whose run ends so.
ends() {
	echo "echo '{\"type\":\"run\"}'; echo \"{\\\"type\\\":\\\"words\\\",\\\"w\\\":\\\"\$* \$NBSCOPE_NOTEBOOK/\$NBSCOPE_NOTEBOOKS\\\"}\"; echo '{\"type\":\"run_end\",\"status\":\"$1\",\"reason\":\"x\"}'"
}
words_of() { jq -r 'select(.type == "words").w' "runs/$1.jsonl"; }

@test "the due runs are made in order, each with its number, and no other" {
	{ planned b "$(ends completed)"; planned x "$(ends completed)" '{"due": false}'; planned a "$(ends completed)"; echo '{"type":"other"}'; } >plan
	run -0 runexec plan
	[ -z "$output" ]
	[ "$(ls -A runs)" = $'a.jsonl\nb.jsonl' ]
	[ "$(words_of b)" = 'notebook 1/2' ]
	[ "$(words_of a)" = 'notebook 2/2' ]
	rm runs/*
	run -0 runexec --last 1 <plan
	[ "$(ls runs)" = b.jsonl ]
}

@test "a run that lost its browser is tried again, has the reason in its record, and is kept in the end" {
	planned a "[ -e once ] && { $(ends completed); } || { touch once; $(ends browser_died); }" >plan
	run -0 runexec plan
	has "runkeep: 'runs/a.jsonl' is not kept: the run ended as browser_died: x"
	[ "$(words_of a)" = '--attempt 2 --before attempt 1: the run ended as browser_died: x notebook 1/1' ]
	[ "$(ls -A runs)" = a.jsonl ]
	# The last attempt is kept, however it ended.
	planned a "$(ends browser_died)" >plan
	RETRY=0 run -0 runexec plan
	[ "$(words_of a)" = 'notebook 1/1' ]
	RETRY=0 run -0 runexec --retry 2 plan
	[[ "$(words_of a)" == '--attempt 3 --before attempt 1: '*'; attempt 2: '* ]]
}

@test "a program of a run that was killed is named in the record of the next attempt" {
	planned a "[ -e once ] || { touch once; kill -KILL \$\$; }; [ -e twice ] && { $(ends completed); exit; }; touch twice; pkill -KILL -P \$PPID runkeep; sleep 0.1" >plan
	run -0 runexec --retry 2 plan
	[ "$(words_of a)" = '--attempt 3 --before attempt 1: sh was killed by SIGKILL; attempt 2: runkeep was killed by SIGKILL notebook 1/1' ]
	[ "$(ls -A runs)" = a.jsonl ]
}

@test "if no browser opens for a run, that is tried once without it, and the other runs are not tried if it fails again" {
	mkdir bin
	printf '%s\n' '#!/bin/sh' 'echo "$*" >>calls' '[ -e works ] && [ "$*" = "--browser x true" ] || exit 4' >bin/wdsession
	chmod +x bin/wdsession
	for name in a b; do
		planned $name '' | jq -c '.command[0] = ["wdsession", "--early", "--browser", "x", "cellrun", "--label", "true", "nb"]'
	done >plan
	planned c "$(ends completed)" >>plan
	PATH=$PWD/bin:$PATH run -0 runexec plan
	has "runexec: no browser opens, so the other runs are not tried: when 'wdsession true' succeeds, make profile continues"
	has 'runexec: 3 of 3 runs could not be made'
	[ "$(cat calls)" = $'--early --browser x cellrun --label true nb\n--browser x true' ]
	# Of two that take turns one says so, and neither tries another run, in this or a later part.
	rm calls
	echo 1 >next
	export PATH=$PWD/bin:$PATH
	runexec --shared next plan 2>one & runexec --shared next plan 2>two && wait $!
	[ "$(cat one two | grep -c 'no browser opens')" = 1 ]
	[ "$(cat one two | sed -n 's/^runexec: \([0-9]\) of 3 runs could not.*/\1/p' | awk '{ n += $1 } END { print n }')" = 3 ]
	echo 1 >next
	run -0 runexec --shared next plan
	[ "$output" = 'runexec: 3 of 3 runs could not be made; make profile tries them again' ] || has nothing
	[ "$(grep -c cellrun calls)" -le 2 ]
	# A browser that opens for the others is no reason to stop.
	touch works
	rm calls
	PATH=$PWD/bin:$PATH run -0 runexec plan
	has 'runexec: 2 of 3 runs could not be made'
	[ "$(ls -A runs)" = c.jsonl ]
	[ "$(grep -c cellrun calls)" = 4 ]
}

@test "what cannot be made is counted, and does not keep the others from being made" {
	{ planned a 'echo {}'; planned b "$(ends completed)"; planned c "$(ends completed)" '{"command": null}'; } >plan
	run -0 runexec --target explain plan
	has 'runexec: 2 of 3 runs could not be made; make explain tries them again'
	[ "$(ls -A runs)" = b.jsonl ]
	planned a "$(ends completed)" '{"command": [["no-such-program"], ["runkeep", "runs/a.jsonl"]]}' >plan
	run -0 runexec plan
	has "runexec: cannot start 'no-such-program':"
	planned a "$(ends completed)" '{"run": 7}' >plan
	run -3 runexec plan
	has 'runexec: a run_plan record has no "run"'
}

@test "an interrupt ends it when the programs of the run have ended" {
	planned a "end() { $(ends completed); exit; }; trap 'kill \$!; sleep 0.2; end' INT; sleep 60 & touch begun; wait" >plan
	setsid env --default-signal=INT runexec plan 3>&- &
	local leader=$!
	wait_for test -e begun
	kill -INT -- "-$leader"
	wait "$leader" || [ $? = 130 ]
	[ -s runs/a.jsonl ]
}

@test "several take turns, and make each run once" {
	for k in $(seq 20); do planned "r$k" "$(ends completed)"; done >plan
	echo 1 >next
	runexec --shared next --last 20 plan &
	runexec --shared next --last 20 plan
	wait
	[ "$(ls runs | wc -l)" = 20 ]
	[ "$(for k in $(seq 20); do words_of "r$k"; done | sort -u | wc -l)" = 20 ]
}

@test "each label has its own server, and another label's is not left behind" {
	local show="echo \"\$JUPYTERLAB_URL \$JUPYTERLAB_TOKEN \$JUPYTERLAB_CERT\" >>servers; $(ends completed)"
	{ planned a "$show"; planned b "$show" '{"label": "other"}'; planned c "$show"; } >plan
	JUPYTERLAB_URL=one JUPYTERLAB_TOKEN=t1 JUPYTERLAB_CERT=c OTHER_LABEL=other OTHER_URL=two OTHER_TOKEN=t2 run -0 runexec plan
	[ "$(cat servers)" = $'one t1 c\ntwo t2 \none t1 c' ]
}

@test "files of the kernel's command are kept with the run, and only those of the attempt that is kept" {
	local writes="for w; do case \$before in --run-path) touch \"\$w.\$\$\" ;; esac; before=\$w; done"
	planned a "$writes; [ -e once ] && { $(ends completed); } || { touch once; $(ends server_lost); }" >plan
	KERNEL_PREFIX=perf run -0 runexec plan
	[ "$(ls runs/a.files | wc -l)" = 1 ]
	[ "$(ls runs/a.files | cut -d. -f1)" = a ]
	[ "$(ls -A runs)" = $'a.files\na.jsonl' ]
	KERNEL_PREFIX=perf run -0 runexec <(planned a "$(ends completed)")
	[ "$(ls -A runs)" = a.jsonl ]
}
