#!/bin/sh
# write-completion.sh bash|zsh: prints the completion of the command nbscope, from the targets with
# a text of help and the tables of settings, of the tree in which this script is.
set -eu
root=${0%/*}/../..
targets=$(sed -n 's/^\([a-z][a-z-]*\):.*## .*/\1/p' "$root"/mk/*.mk "$root"/share/tasks/*.mk |
	sort -u | paste -sd' ')
settings=$(sed -n 's/^\([A-Z_]*\) ?=.*/\1=/p' "$root"/share/settings "$root"/share/tasks/settings |
	paste -sd' ')
# The words that a setting may be: those of its kind, where these are words of their own.
words=$(awk -F '  +(# )?' '/^[A-Z]/ && $2 !~ /^(text|pattern|packages|label[?]?|number[?]?)$/ {
	name = $1
	sub(/ .*/, "", name)
	printf "\t%s) words=\047%s\047 ;;\n", name, $2
}' "$root"/share/settings "$root"/share/tasks/settings)
cat <<END
$([ "$1" = bash ] || echo '#compdef nbscope')
# The words that a variable may be; none: it is a text, a path or a number.
_nbscope_words() {
	words=
	case \$1 in
$words
	esac
}
END
case $1 in
bash) cat <<END
_nbscope() {
	local word=\${COMP_LINE:0:COMP_POINT} words
	word=\${word##*[[:space:]]}
	case \$word in
	[A-Z]*=*)
		_nbscope_words "\${word%%=*}"
		word=\${word#*=}
		if [ "\$words" ]; then
			COMPREPLY=(\$(compgen -W "\$words" -- "\$word"))
		else
			compopt -o filenames 2>/dev/null
			COMPREPLY=(\$(compgen -f -- "\$word"))
		fi ;;
	[A-Z]*)
		compopt -o nospace 2>/dev/null
		COMPREPLY=(\$(compgen -W "NOTEBOOK= $settings" -- "\$word")) ;;
	*)
		if [[ \${COMP_WORDS[1]} = run && \$COMP_CWORD = 2 ]]; then
			compopt -o filenames 2>/dev/null
			COMPREPLY=(\$(compgen -f -- "\$word"))
		else
			COMPREPLY=(\$(compgen -W "run $targets" -- "\$word"))
		fi ;;
	esac
}
complete -F _nbscope nbscope
END
	;;
zsh) cat <<END
_nbscope() {
	local words_of_line=(\$words) words
	if compset -P '[A-Z_]##='; then
		_nbscope_words "\${\${IPREFIX%=}##* }"
		if [[ -n \$words ]]; then
			compadd -- \${=words}
		else
			_files
		fi
	elif [[ \$words_of_line[2] = run && \$CURRENT = 3 ]]; then
		_files -g '*.(ipynb|py)'
	elif [[ \$PREFIX = [A-Z]* ]]; then
		compadd -S '' -- NOTEBOOK= $settings
	else
		compadd -- run $targets
	fi
}
_nbscope "\$@"
END
	;;
esac
