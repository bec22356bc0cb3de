#!/bin/sh
# usage: release.sh TAG [OWNER/NAME]: makes the release TAG from a clean checkout: builds and tries
# all packages with checksums and SBOMs in bin/release, adds the commits since the last release to
# CHANGELOG.md, tags, and moves the pins of documents to the tag. OWNER/NAME is the public repository,
# which is kept in packaging/place.env. Pushing the tag publishes; nothing is pushed here.
set -eu
cd "$(dirname "$0")/.."
tag=${1:-} repository=${2:-}
sh packaging/tag.sh --valid "$tag"
[ -z "$(git status --porcelain)" ] || {
	echo 'release.sh: there are uncommitted changes; commit them first' >&2
	exit 1
}
! git rev-parse --verify --quiet "refs/tags/$tag" >/dev/null || {
	echo "release.sh: there is a tag $tag; want a newer version" >&2
	exit 1
}
if [ -n "$repository" ]; then
	sh packaging/place.sh "$(sed -n 's/^COMMIT=//p' packaging/place.env)" "$(sed -n 's/^VERSION=//p' packaging/place.env)" "$repository"
	git diff --quiet || git commit -qam "Name the public repository $repository"
elif grep -qx 'REPOSITORY=OWNER/.*' packaging/place.env; then
	echo "release.sh: packaging/place.env names no public repository; run: make release VERSION=$tag REPOSITORY=owner/name" >&2
	exit 1
fi

sh packaging/build.sh "$tag" bin/release
sh packaging/test.sh bin/release

last=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
{
	printf '# Changelog\n\n## %s (%s)\n\n' "$tag" "$(date -u +%F)"
	git log --no-merges --format='- %s' ${last:+"$last.."}
	[ ! -e CHANGELOG.md ] || sed 1d CHANGELOG.md
} >CHANGELOG.md.new
mv CHANGELOG.md.new CHANGELOG.md
git add CHANGELOG.md
git commit -qm "List the changes of $tag"
sh packaging/tag.sh "$tag"
sh packaging/place.sh "$tag" "$tag"
git commit -qam "Pin $tag in the documents"
