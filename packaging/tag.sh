#!/bin/sh
# usage: tag.sh [--check|--valid] VERSION: sets the version that the Python hooks install, commits it
# and tags the commit; push both to release it. With --check it verifies that the version is set, and
# with --valid that VERSION is a version.
set -eu
cd "$(dirname "$0")/.."
check=
case ${1:-} in
--check | --valid)
	check=$1
	shift
	;;
esac
tag=${1:-}
if ! printf '%s' "$tag" | tr '\n' ' ' | grep -Eqx 'v[0-9]+\.[0-9]+\.[0-9]+(-(a|b|rc)\.?[0-9]+)?'; then
	echo "tag.sh: bad version \"$tag\"; want one such as v1.2.0 or v1.2.0-rc.1" >&2
	exit 2
fi
# As Python writes a pre-release: 1.2.0rc1.
version=$(printf '%s\n' "${tag#v}" | sed -E 's/-(a|b|rc)\.?/\1/')
line="VERSION = \"$version\"  # of the release; packaging/tag.sh sets it"
[ "$check" != --valid ] || exit 0
if [ "$check" ]; then
	grep -qxF "$line" packaging/requirement.py || {
		echo "tag.sh: packaging/requirement.py is not of $tag; create tags with: sh packaging/tag.sh $tag" >&2
		exit 1
	}
	exit
fi
[ -z "$(git status --porcelain)" ] || {
	echo 'tag.sh: there are uncommitted changes; commit them first' >&2
	exit 1
}
sed "s|^VERSION = .*|$line|" packaging/requirement.py >packaging/requirement.py.new
mv packaging/requirement.py.new packaging/requirement.py
git commit -qm "Release $tag" packaging/requirement.py
git tag -a -m "rulecheck $tag" "$tag"
echo "release it with: git push --atomic origin HEAD $tag"
