#!/bin/sh
# usage: image.sh TAG DIR: builds the image of TAG for Linux from the programs in DIR/image and
# pushes it. It sets the output digest of a step in GitHub Actions.
set -eu
tag=$1 dir=$2 image=ghcr.io/OWNER/rulecheck
latest="--tag $image:latest"
case $tag in *-*) latest= ;; esac
# shellcheck disable=SC2086 # two words, or none
docker buildx build --push --platform linux/amd64,linux/arm64 --metadata-file "$dir/image.json" \
	--tag "$image:$tag" $latest \
	--label org.opencontainers.image.source=https://github.com/OWNER/rulecheck \
	--label "org.opencontainers.image.revision=$GITHUB_SHA" \
	--label "org.opencontainers.image.version=$tag" \
	--label org.opencontainers.image.licenses=Apache-2.0 \
	"$dir/image"
digest=$(jq -er '."containerimage.digest"' "$dir/image.json")
echo "digest=$digest" >>"$GITHUB_OUTPUT"
