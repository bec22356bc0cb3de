#!/bin/sh
# usage: build.sh VERSION DIR: builds everything that a release of VERSION publishes in DIR:
# archives, packages for npm, pip, Debian and RPM, SBOMs, the Homebrew formula, install.sh, the
# context of the image, and checksums of all of them. PLATFORMS selects some of the platforms. It
# needs Go, npm and python3.
set -eu
cd "$(dirname "$0")/.."
version=${1#v} dir=$2
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0

case $version in
[0-9]*.[0-9]*.[0-9]*) ;;
*) echo "build.sh: bad version \"$1\"; want one such as v1.2.0" >&2 && exit 2 ;;
esac
for program in go npm python3; do
	command -v "$program" >/dev/null || { echo "build.sh: there is no $program in PATH; install it" >&2 && exit 2; }
done

# The platform as npm, wheels and Debian call it; none for a system without such packages.
names() {
	case $1 in
	linux/amd64) echo linux x64 manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64 amd64 ;;
	linux/arm64) echo linux arm64 manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64 arm64 ;;
	darwin/amd64) echo darwin x64 macosx_12_0_x86_64 none ;;
	darwin/arm64) echo darwin arm64 macosx_12_0_arm64 none ;;
	windows/amd64) echo win32 x64 win_amd64 none ;;
	windows/arm64) echo win32 arm64 win_arm64 none ;;
	*) echo "build.sh: unknown platform $1; want one such as linux/amd64" >&2 && exit 2 ;;
	esac
}

rm -rf "$dir"
mkdir -p "$dir/npm" "$dir/image"
dir=$(cd "$dir" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh scripts/package.sh "$work/shared"
# After a release, findings of rules of packs have the address of their page.
place=https://github.com/OWNER/rulecheck module=$(go list -m)
linked="-X main.linked=v$version"
case $place in
*/OWNER/*) ;;
*) linked="$linked -X $module/internal/rule.Page=$place/blob/v$version/docs/rules/ID.md -X $module/internal/report/format.home=$place" ;;
esac
gzip -nk9 "$work/shared/man/rulecheck.1"
cp packaging/Dockerfile "$dir/image/"
cp install.sh "$dir/"

optional=
for platform in $platforms; do
	# shellcheck disable=SC2046 # four words
	set -- $(names "$platform")
	os=$1 cpu=$2 tags=$3 debian=$4
	suffix=
	[ "$os" != win32 ] || suffix=.exe
	package=$work/$os-$cpu
	program=$package/bin/rulecheck$suffix
	mkdir -p "$package/bin"
	CGO_ENABLED=0 GOOS=${platform%/*} GOARCH=${platform#*/} go build -trimpath -buildvcs=false \
		-ldflags "-s -w $linked" -o "$program" ./cmd/rulecheck
	cp LICENSE "$package/"

	name=rulecheck_${version}_${platform%/*}_${platform#*/}
	python3 -B packaging/archive.py "$program" "$work/shared" "$dir/$name"
	python3 -B packaging/sbom.py "$program" "$version" "$dir/$name.cdx.json"
	python3 -B packaging/wheel.py "$program" "$version" "$tags" "$work/shared" "$dir"

	cat >"$package/package.json" <<-EOF
		{
		  "name": "@rulecheck/$os-$cpu",
		  "version": "$version",
		  "description": "The program of rulecheck for $os $cpu",
		  "license": "Apache-2.0",
		  "repository": "github:OWNER/rulecheck",
		  "os": ["$os"],
		  "cpu": ["$cpu"],
		  "files": ["bin"]
		}
	EOF
	optional="$optional${optional:+, }\"@rulecheck/$os-$cpu\": \"$version\""
	npm pack --silent --pack-destination "$dir/npm" "$package"

	if [ "$debian" != none ]; then
		for format in deb rpm; do
			ARCH=$debian VERSION=$version PROGRAM=$program SHARED=$work/shared \
				go run "$nfpm" package --config packaging/nfpm.yaml --packager "$format" --target "$dir"
		done
		mkdir -p "$dir/image/$platform"
		cp "$program" "$dir/image/$platform/"
	fi
done

package=$work/main
mkdir -p "$package/bin"
cp packaging/npm/rulecheck.js "$package/bin/"
cp packaging/summary.md "$package/README.md"
cp LICENSE "$package/"
cp -R "$work/shared/completions" "$package/"
mkdir "$package/man" && cp "$work/shared/man/rulecheck.1" "$package/man/"
cat >"$package/package.json" <<EOF
{
  "name": "rulecheck",
  "version": "$version",
  "description": "Check what changed in a git repository against rules in markdown files",
  "license": "Apache-2.0",
  "repository": "github:OWNER/rulecheck",
  "bin": { "rulecheck": "bin/rulecheck.js" },
  "man": "man/rulecheck.1",
  "files": ["bin", "completions", "man"],
  "engines": { "node": ">=18" },
  "optionalDependencies": { $optional }
}
EOF
npm pack --silent --pack-destination "$dir/npm" "$package"

# checksums.txt lists names without directories, as a release has none.
(
	cd "$dir"
	for file in ./*.tar.gz ./*.zip ./*.cdx.json ./*.whl ./*.deb ./*.rpm ./npm/*.tgz ./install.sh; do
		[ ! -e "$file" ] || (cd "${file%/*}" && sha256sum "${file##*/}")
	done
) | LC_ALL=C sort -k 2 >"$work/checksums.txt"
mv "$work/checksums.txt" "$dir/"
if [ -z "${PLATFORMS:-}" ]; then
	sh packaging/formula.sh "$version" "$dir/checksums.txt" >"$dir/rulecheck.rb"
fi
