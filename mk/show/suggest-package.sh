#!/bin/sh
# suggest-package.sh UC LABEL: if a cell did not find a package of Python, prints what to type to
# have it: VENV, if an environment of the user has it, or else how to install it where the run was.
# In the environment: NOTEBOOK, VENV, WITH, REQUIREMENTS, JUPYTERLAB_URL as make has them.
set -uf
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 dir=${1%/nbscope/*}
module=$(jq -r 'first(.failures[] | select(.error_name == "ModuleNotFoundError") |
	.error_value // "" | capture("No module named [\u0027\"](?<name>[A-Za-z0-9_]+)").name) //
	""' \
	"$uc/metrics/$label/verdict.json")
[ "$module" ] || exit 0
# Those next to the notebook are files: suggest-files.sh.
[ ! "${NOTEBOOK-}" ] || { [ ! -e "$dir/$module.py" ] && [ ! -d "$dir/$module" ]; } || exit 0
# As pip calls it.
case $module in
cv2) package=opencv-python ;;
sklearn) package=scikit-learn ;;
skimage) package=scikit-image ;;
PIL) package=pillow ;;
yaml) package=pyyaml ;;
bs4) package=beautifulsoup4 ;;
dateutil) package=python-dateutil ;;
dotenv) package=python-dotenv ;;
mpl_toolkits) package=matplotlib ;;
pkg_resources) package=setuptools ;;
*) package=$module ;;
esac
missing="there is no module '$module' in the Python environment of this run"
if [ "${JUPYTERLAB_URL-}" ]; then
	say "$missing: install '$package' for the kernels of that server"
elif [ "${WITH-}" ]; then
	say "$missing; to install it there, too:"
	echo "    $(type_to profile "WITH=$WITH $package")"
elif [ "${REQUIREMENTS-}" ]; then
	say "$missing: add '$package' to '$REQUIREMENTS'"
elif [ "${VENV-}" ]; then
	say "$missing; to install it there:"
	say "    $VENV/bin/python -m pip install $package"
else
	has="import importlib.util as u, sys; sys.exit(u.find_spec('$module') is None)"
	for env in "${VIRTUAL_ENV-}" "${CONDA_PREFIX-}" "$dir/.venv" "$dir/venv"; do
		[ "$env" ] && [ -x "$env/bin/python" ] || continue
		"$env/bin/python" -Ic "$has" 2>/dev/null || continue
		say "$missing, but there is in '$env'; to measure in that:"
		echo "    $(type_to profile "VENV=$env")"
		exit
	done
	say "$missing; to measure in an environment of your own, or to have one made with it:"
	echo "    $(type_to profile VENV=path/to/your/environment)"
	echo "    $(type_to profile "WITH=$package")"
fi
