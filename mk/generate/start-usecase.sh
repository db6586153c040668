#!/bin/sh
# start-usecase.sh NAME: copies the skeleton of a use case to usecases/NAME, or to NAME if it is a
# path.
set -eu
. "${0%/*}/../show/say.sh"
case $1 in */*) folder=${1%/} ;; *) folder=usecases/$1 ;; esac
case ${folder##*/} in '' | -* | *[!A-Za-z0-9_-]*)
	stop 2 "new-usecase: NAME must be of letters, digits, dash and underscore, as in:" \
		"$typed new-usecase NAME=my_viewer" ;;
esac
case $folder in *[!A-Za-z0-9_./+@,~-]*)
	stop 2 "new-usecase: the path in NAME must be of letters, digits and _ . / + @ , ~ -," \
		"not '$folder'" ;;
esac
[ ! -e "$folder" ] || stop 2 "new-usecase: $folder exists already"
mkdir -p "${folder%/*}"
cp -R "$nbscope/share/usecase" "$folder"
# The installed one may be read-only.
chmod -R u+w "$folder"
name=${folder#usecases/}
echo "$folder: edit template.ipynb and params.json, then: $typed plan USECASE=$name &&" \
	"$typed profile USECASE=$name"
