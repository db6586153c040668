#!/bin/sh
# link-labextensions.sh ENV REQUIREMENTS: links the front-end extensions of JupyterLab that are built
# in the checkouts among the words (-e ../my_widgets) into the environment ENV, as `jupyter
# labextension develop` does: pip leaves them out, or copies them once.
set -euf
env=$1 editable=
for word in $2; do
	case $editable$word in -e | --editable) editable=yes && continue ;; esac
	[ ! "$editable" ] || "${0%/*}/list-labextensions.sh" "$word" | while IFS= read -r package; do
		link=$env/share/jupyter/labextensions/$(jq -r .name "$package")
		mkdir -p "${link%/*}"
		rm -rf "$link"
		ln -s "$(realpath "${package%/*}")" "$link"
	done
	editable=
done
