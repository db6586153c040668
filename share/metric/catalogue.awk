# catalogue.awk: writes the rows of share/metric/catalogue as METRIC(...) and COLUMN(...), which
# tools/lib/metric/catalogue.h and catalogue.c define. The compiler names a faulty row by its line.

function quoted(text) {
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function put_member(line, role,    word, key, value) {
	word = line
	sub(/ .*/, "", word)
	if (word in legacy) {
		if (word != role)
			return
		line = substr(line, length(word) + 2)
	}
	key = value = line
	sub(/: .*/, "", key)
	sub(/^[^:]*: /, "", value)
	if (key == "phase")
		printf ", .family = \"phase_seconds\", .label = %s", quoted("phase=\"" value "\"")
	else
		printf ", .%s = %s", key, key ~ /^(floor|more_is_better)$/ ? value : quoted(value)
}

function end_row() {
	if (open)
		print ")"
	open = 0
}

function put_line(line, number, role,    word, n) {
	gsub(/LEGACY/, legacy[role], line)
	gsub(/ROLE/, role, line)
	if (sub(/^\t/, "", line)) {
		put_member(line, role)
		return
	}
	end_row()
	sub(/ +$/, "", line)
	n = split(line, word, / +/)
	if (n < 5 || n > 6 || (n == 6 && word[6] != "too")) {
		print FILENAME ":" number ":1: not a row of 5 words" >"/dev/stderr"
		exit failed = 1
	}
	printf "#line %d \"%s\"\n", number, FILENAME
	if (word[4] == "column")
		printf "COLUMN(%s, %s, %s", word[1], quoted(word[3]), toupper(word[5])
	else
		printf "METRIC(%s, %s, %s, %s, %s", word[1], toupper(word[2]),
		    word[3] == "-" ? "NULL" : quoted(word[3]), toupper(word[4]), toupper(word[5])
	if (n == 6)
		printf ", .interactions = true"
	open = 1
}

/^#/ || !NF {
	next
}
$1 == "roles" {
	for (i = 2; i <= NF; i++) {
		split($i, pair, "=")
		roles[++n_roles] = pair[1]
		legacy[pair[1]] = pair[2]
	}
	from = 1
	next
}
$1 == "end" {
	for (r = 1; r <= n_roles; r++)
		for (i = 1; i < from; i++)
			put_line(line_of[i], number_of[i], roles[r])
	from = 0
	next
}
from {
	line_of[from] = $0
	number_of[from++] = NR
	next
}
{
	put_line($0, NR, "")
}
END {
	end_row()
	if (!failed)
		print "#undef METRIC\n#undef COLUMN"
}
