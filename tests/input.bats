# bats file_tags=quick
# What comes from outside and is not what it should be: JSON, YAML, notebooks,
# tables; and memory and disk that run out while it is read.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# refused TEXT: the last run ended with status 3 and one line, which holds TEXT.
refused() {
	status_is 3
	has "$1"
	[ "${#lines[@]}" = 1 ] || { echo "$output"; return 1; }
}

# notebook OUT METADATA: a notebook with this in its metadata, whose source is bytes.
notebook() {
	printf '{"cells":[{"cell_type":"code","id":"a","metadata":{},"source":"1","outputs":[],"execution_count":null}],"metadata":{"x":%s},"nbformat":4,"nbformat_minor":5}' "$2" >"$1"
}

@test "all JSON that RFC 8259 requires is read, and what it forbids is refused, by every reader" {
	run "$ROOT/tests/jsoncases"
	echo "$output"
	status_is 0
}

@test "a key that is there twice is found among any number of keys, wherever the two are" {
	run python3 - <<-'P'
	import random, subprocess
	random.seed(1)
	def status(members):
	    line = "{" + ",".join(f'"{k}":{v}' for k, v in members) + "}\n"
	    return subprocess.run(["runsum"], input=line.encode(), capture_output=True).returncode
	for n in (1, 2, 64, 130, 255, 256, 257, 300):
	    members = [("type", '"x"')] + [(f"k{i}_{random.getrandbits(30):x}", "null") for i in range(n)]
	    assert status(members) != 3, n
	    for _ in range(8):
	        twice, at = random.randrange(n + 1), random.randrange(n + 2)
	        more = members[:at] + [(members[twice][0], '"x"')] + members[at:]
	        assert status(more) == 3, (n, twice, at)
	        inner = [("type", '"x"'), ("o", "{" + ",".join(f'"{k}":{v}' for k, v in more) + "}")]
	        assert status(inner) == 3, (n, twice, at)
	P
	status_is 0
	[ -z "$output" ]
}

@test "compressed input and invalid UTF-8 are distinguished from incomplete JSON" {
	printf '{"type":"run"}\n' >r
	gzip -k r
	xz -k r
	python3 -c 'import bz2; open("r.bz2", "wb").write(bz2.compress(open("r", "rb").read()))'
	printf '\xef\xbb\xbf{"type":"run"}\n' >r.bom
	iconv -f UTF-8 -t UTF-16 r >r.utf16
	for file in 'gz:compressed by gzip: use zcat' 'xz:xzcat' 'bz2:bzcat' 'bom:a byte order mark: save it' 'utf16:UTF-16'; do
		for reader in cellmetrics procsample metrichist; do
			run -3 $reader <"r.${file%%:*}"
			has "$reader: stdin:1:1: "
			has "${file#*:}"
		done
	done
}

@test "a NUL in a string passes unchanged, and becomes U+FFFD in text" {
	printf '{"type":"x","v":"a\\u0000b"}\n' >r
	run -0 bash -c 'runkeep k <r | cmp - r'
	printf '{"type":"cell_metrics","notebook_filename":"a\\u0000b","cell_index":1}\n' >m
	run -0 bash -c 'metrics2csv m | tail -n +2 | cut -d, -f1'
	[ "$output" = $'a\uFFFDb' ]
	run nbexpand --usecase u - <<<'{"n": ["a\u0000b"]}'
	refused "nbexpand: stdin:1:2: a string in 'n' contains a NUL"
}

@test "a line that ends within an array is refused, and nothing behind it is read" {
	for end in '[' '[1' '[1,' '{' '{"a"' '{"a":' '"a' '[{"a":[1'; do
		run cellmetrics <<<"{\"type\":\"x\",\"v\":$end"
		status_is 3
	done
}

@test "hostile notebooks are refused in one line and little memory" {
	python3 -c 'print("[" * 100000 + "]" * 100000)' >deep
	for what in "$(cat deep)" 1e999 123456789012345678901234567890 '"\ud800"' '"\udc00\ud800"' "$(printf '"\xff\xfe"')" NaN '{"a":1,"a":2}' '{"a\u0000":1}'; do
		notebook t.ipynb "$what"
		run bash -c "$ULIMIT 65536; nbpatch t.ipynb </dev/null"
		refused 'nbpatch: t.ipynb:1:'
		run cellrun t.ipynb
		refused 'cellrun: t.ipynb:1:'
	done
}

@test "an alias bomb of 254 bytes costs less than 64 MB" {
	python3 - >bomb.yaml <<-'P'
	s = "a: &a [1,2,3,4,5,6,7,8,9]\n"
	for p, q in zip("abcdefg", "bcdefgh"):
	    s += f"{q}: &{q} [" + ",".join([f"*{p}"] * 9) + "]\n"
	print(s[:254].rsplit("\n", 1)[0])
	P
	[ "$(wc -c <bomb.yaml)" -le 254 ]
	run bash -c '$ULIMIT 65536; nbexpand --usecase u bomb.yaml'
	refused 'nbexpand: bomb.yaml:'
}

@test "YAML is bounded: depth, anchors, unknown tags, keys that are no text" {
	python3 -c 'print("a: " + "[" * 300 + "]" * 300)' >p.yaml
	run nbexpand --usecase u p.yaml
	refused 'nested deeper than 200'
	python3 -c 'print("a:\n" + "".join(f"- &x{i} {i}\n" for i in range(10001)))' >p.yaml
	run nbexpand --usecase u p.yaml
	refused 'more than 10000 anchors'
	for tag in '!!python/object/apply:os.system [x]' '!x 1' '!!binary aGk=' '!!set {a}' '!!timestamp 2001-01-01'; do
		echo "a: $tag" >p.yaml
		run nbexpand --usecase u p.yaml
		refused 'nbexpand: p.yaml:1:4: '
	done
	echo 'a: [no, yes, on, off, 012, 0o17, 0x1f, 1:30, 2001-01-01, ~]' >p.yaml
	run -0 bash -c 'nbexpand --usecase u p.yaml | jq -c .params.a | paste -sd " "'
	[ "$output" = '"no" "yes" "on" "off" 12 15 31 "1:30" "2001-01-01" null' ] || { echo "$output"; false; }
}

@test "no text of a record becomes a formula in a spreadsheet, numbers stay, and --no-escape leaves all" {
	python3 - <<-'P'
	import json
	texts = ["=1+1", "+a", "-a", "@x", "\tx", "\rx", "\nx", " =x", "   @x", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201",
	    "-5", "+5", "1=2", "a@b", "-", "=", '="a"', "-1.5e3", "'=1"]
	with open("m", "w") as f:
	    for t in texts:
	        print(json.dumps({"type": "cell_metrics", "notebook_filename": t, "cell_index": -3, "params": {t: t}}), file=f)
	json.dump(texts, open("texts", "w"))
	P
	metrics2csv m >guarded
	metrics2csv --no-escape m >plain
	run python3 - <<-'P'
	import csv, json
	texts = json.load(open("texts"))
	safe = {"-5", "-1.5e3", "1=2", "a@b"}	# "'=1" would be read as an escaped "=1"
	want = [t if t in safe else "'" + t for t in texts]
	rows = list(csv.DictReader(open("guarded", newline=""), strict=True))
	assert [r["notebook_filename"] for r in rows] == want, [r["notebook_filename"] for r in rows]
	assert all(r["cell_index"] == "-3" for r in rows)
	assert all(not k.startswith(tuple("=+@\t\r\n")) for k in rows[0]), list(rows[0])
	plain = list(csv.DictReader(open("plain", newline=""), strict=True))
	assert [r["notebook_filename"] for r in plain] == texts
	P
	status_is 0
}

@test "memory and disk that run out anywhere end a filter with status 4 and a line, and leave no half file" {
	[ -z "${NBSCOPE_BUILD:-}" ] || skip "the sanitizer has an allocator of its own"
	run "$ROOT/tests/faults-input" --stride "$([ -n "${ALL:-}" ] && echo 61 || echo 223)"
	echo "$output"
	status_is 0
}

@test "memory that runs out anywhere ends a holder with status 4 and a line, with nothing left" {
	[ -z "${NBSCOPE_BUILD:-}" ] || skip "the sanitizer has an allocator of its own"
	run "$ROOT/tests/faults-holders" runlock netshape remotesample
	echo "$output"
	status_is 0
}

@test "one log of standard output and messages is in order" {
	echo '{' >bad
	run -3 cellmetrics "$ROOT/tests/data/runs.jsonl" bad
	[[ "${lines[-1]}" == 'cellmetrics: bad:1:'* ]]
	[ "$(grep -c '^cellmetrics: ' <<<"$output")" = 1 ]
	[ "${#lines[@]}" -gt 5 ]
}
