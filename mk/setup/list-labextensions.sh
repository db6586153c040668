#!/bin/sh
# list-labextensions.sh CHECKOUT: prints the package.json of each front-end extension of JupyterLab
# that is built in the folder, but for those of environments there. What is built says what the page
# loads, with a checksum in its name.
venvs=$(find "$1" -maxdepth 3 -name pyvenv.cfg -printf '%h/\n' 2>/dev/null)
find "$1" \( -name node_modules -o -name .git \) -prune -o \
	-path '*labextension*' -name package.json -print 2>/dev/null |
	grep -vF "${venvs:-//}" | tr '\n' '\0' | xargs -0 -r grep -l '"_build"' | sort
