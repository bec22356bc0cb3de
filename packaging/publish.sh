#!/bin/sh
# usage: publish.sh TAG DIR: creates the release of TAG on GitHub with the files that build.sh
# wrote to DIR, and the changes of TAG in CHANGELOG.md. If REGISTRIES is "true", it also publishes the packages for npm and pip with
# trusted publishing, so there are no secrets.
set -eu
tag=$1 dir=$2
prerelease='' npm_tag=latest
case $tag in *-*) prerelease=--prerelease npm_tag=next ;; esac
changelog=$(dirname "$0")/../CHANGELOG.md
awk -v tag="$tag" '/^## / { of_tag = $2 == tag; next } of_tag' "$changelog" >"$dir/notes.md"
grep -q . "$dir/notes.md" || { echo "publish.sh: $changelog has no changes of $tag; make the release with: make release VERSION=$tag" >&2 && exit 1; }
# shellcheck disable=SC2086 # one word, or none
gh release create "$tag" --verify-tag --notes-file "$dir/notes.md" $prerelease \
	"$dir"/*.tar.gz "$dir"/*.zip "$dir"/*.cdx.json "$dir"/*.whl "$dir"/*.deb "$dir"/*.rpm "$dir"/npm/*.tgz \
	"$dir/install.sh" "$dir/rulecheck.rb" "$dir/checksums.txt"

[ "${REGISTRIES:-}" = true ] || {
	echo 'publish.sh: the packages for npm and pip are not published: the variable REGISTRIES is not "true"' >&2
	exit
}
# The packages of platforms come first: the main package requires them.
for package in "$dir"/npm/rulecheck-[a-z]*.tgz "$dir"/npm/rulecheck-[0-9]*.tgz; do
	npx --yes npm@11.6.2 publish --provenance --access public --tag "$npm_tag" "$package"
done
pipx run --spec uv==0.9.5 uv publish --trusted-publishing always "$dir"/*.whl
