# bats file_tags=quick
# What is said of a Python environment that lacks what a notebook needs.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p mine/nbscope/it/metrics/current usecases/quickstart/metrics/current
}

# missing MODULE [VARIABLE=VALUE...]: what the end of a profile says of a notebook that imports it.
missing() {
	jq -nc --arg v "No module named '$1'" '{failures: [{error_name: "FileNotFoundError", error_value: "x"}, {error_name: "ModuleNotFoundError", error_value: $v}]}' |
		tee usecases/quickstart/metrics/current/verdict.json >mine/nbscope/it/metrics/current/verdict.json
	shift
	output=$(env -u VIRTUAL_ENV -u CONDA_PREFIX NOTEBOOK=it.ipynb "$@" "$ROOT/mk/show/suggest-package.sh" "$PWD/mine/nbscope/it" current)
}

# environment FOLDER MODULE: a Python environment that has the module.
environment() {
	python3 -m venv --without-pip "$1"
	touch "$(echo "$1"/lib/python3*/site-packages)/$2.py"
}

@test "a missing package gets the command that measures in an environment that has it, or makes one" {
	missing sklearn.linear_model
	[ "$output" = "there is no module 'sklearn' in the Python environment of this run; to measure in an environment of your own, or to have one made with it:
    make profile-notebook NOTEBOOK=it.ipynb VENV=path/to/your/environment
    make profile-notebook NOTEBOOK=it.ipynb WITH=scikit-learn" ]
	environment active other
	environment mine/.venv ours
	missing ours VIRTUAL_ENV="$PWD/active"
	[ "${output#*$'\n'}" = "    make profile-notebook NOTEBOOK=it.ipynb VENV=$PWD/mine/.venv" ]
	missing other VIRTUAL_ENV="$PWD/active"
	has "but there is in '$PWD/active'; to measure in that:"
	missing nowhere VIRTUAL_ENV="$PWD/active"
	has 'WITH=nowhere'
	missing nowhere NOTEBOOK=
	# shellcheck disable=SC2154  # of missing
	output=$("$ROOT/mk/show/suggest-package.sh" usecases/quickstart current)
	has '    make profile WITH=nowhere'
}

@test "where VENV, WITH, REQUIREMENTS or a server of one's own is in use, the package is installed there" {
	missing cv2 VENV=/srv/env
	[ "${output#*$'\n'}" = '    /srv/env/bin/python -m pip install opencv-python' ]
	missing cv2 VENV=/x WITH='jdaviz==5'
	[ "${output#*$'\n'}" = "    make profile-notebook NOTEBOOK=it.ipynb WITH='jdaviz==5 opencv-python'" ]
	missing cv2 VENV=/x REQUIREMENTS=needs.txt
	has "add 'opencv-python' to 'needs.txt'"
	missing cv2 JUPYTERLAB_URL=http://127.0.0.1:1
	has 'for the kernels of that server'
	touch mine/cv2.py
	missing cv2
	[ -z "$output" ]
}

@test "a VENV that cannot run notebooks is refused before anything is done, with the command that mends it" {
	environment bare x
	nb() { make --no-print-directory -C "$ROOT" "$@"; }
	for goal in profile explain ab; do
		run -2 nb $goal USECASE="$PWD/usecases/none" VENV="$PWD/bare"
		has "VENV: '$PWD/bare' has neither ipykernel nor jupyterlab; ipykernel is enough: '$PWD/bare/bin/python' -m pip install ipykernel"
	done
	run -2 nb profile VENV="$PWD/no such"
	has "VENV: '$PWD/no such' is not a Python environment: it has no bin/python"
	touch "$(echo bare/lib/python3*/site-packages)/ipykernel.py"
	run -2 nb profile USECASE="$PWD/usecases/none" VENV="$PWD/bare"
	has 'no use case'
}
