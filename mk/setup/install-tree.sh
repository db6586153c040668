#!/bin/sh
# install-tree.sh BIN SCHEMA PREFIX PROGRAM...: copies the PROGRAMs in the folder BIN, the schemas
# in SCHEMA and what belongs to them in this checkout below PREFIX: mk/install.mk lists it. What was
# installed there before is replaced.
set -eu
bin=$1 schema=$2 prefix=$3
shift 3
root=$prefix/share/nbscope
rm -rf "$root"
# put FOLDER MODE FILE...
put() {
	folder=$1 mode=$2
	shift 2
	install -D -p -m "$mode" -t "$folder" -- "$@"
}
for program; do
	put "$prefix/bin" 755 "$bin/$program"
done
put "$prefix/bin" 755 share/install/nbscope
put "$prefix/share/man/man1" 644 man/*.1
put "$prefix/share/man/man7" 644 man/*.7
put "$root" 644 Makefile VERSION
# Without what compiles, tests or installs, and what belongs to a checkout or was made in it.
find mk share -type f ! -path 'share/container/*' ! -path 'share/readme/*' ! -path '*/.*' \
	! -path 'share/manual/*' ! -path 'share/debian/*' ! -path '*/__pycache__/*' \
	! -path '*.egg-info/*' ! -path 'share/ipython/build/*' ! -path '*/dask-targets/*' \
	! -path 'share/metric/*' ! -name '*.in' ! -name '*.c' \
	! -name build.mk ! -name compile.mk ! -name dist.mk ! -name install.mk \
	! -name install-tree.sh ! -name build-container.sh ! -name build-deb.sh \
	! -name make-release.sh ! -name wheel.mk \
	! -path 'share/wheel/*' ! -path share/sources ! -name '*-sources.sh' |
	while IFS= read -r file; do
		mode=644
		[ ! -x "$file" ] || mode=755
		put "$root/${file%/*}" $mode "$file"
	done
put "$root/share/schema" 644 "$schema"/*.json
for usecase in usecases/*/template.ipynb; do
	usecase=${usecase%/*}
	put "$root/$usecase" 644 "$usecase"/template.ipynb "$usecase"/params.* "$usecase"/usecase.mk
	for file in requirements.txt interactions.jsonl; do
		[ ! -e "$usecase/$file" ] || put "$root/$usecase" 644 "$usecase/$file"
	done
	[ ! -d "$usecase/files" ] || cp -Rp "$usecase/files" "$root/$usecase"
done
python3 share/labextension/write.py "$prefix/share/jupyter/labextensions/nbscope"
complete=$prefix/share/bash-completion/completions
mkdir -p "$complete" "$prefix/share/zsh/site-functions"
"$root/mk/setup/write-completion.sh" bash >"$complete/nbscope"
"$root/mk/setup/write-completion.sh" zsh >"$prefix/share/zsh/site-functions/_nbscope"
