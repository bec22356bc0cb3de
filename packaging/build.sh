#!/bin/sh
# usage: build.sh VERSION DIR: builds the npm packages, Python wheels, and packages for Debian
# and RPM of VERSION in DIR. PLATFORMS selects some of the platforms. A package of a program
# that is not there is left out, with a message.
set -eu
cd "$(dirname "$0")/.."
version=${1#v} dir=$2
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0

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
mkdir -p "$dir/npm"
dir=$(cd "$dir" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh scripts/package.sh "$work/shared"
gzip -n9 "$work/shared/man/rulecheck.1"

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
		-ldflags "-s -w -X main.linked=v$version" -o "$program" ./cmd/rulecheck

	cp LICENSE "$package/"
	cat >"$package/package.json" <<-EOF
		{
		  "name": "@rulecheck/$os-$cpu",
		  "version": "$version",
		  "description": "The program of rulecheck for $os $cpu",
		  "license": "Apache-2.0",
		  "repository": "github:rulecheck/rulecheck",
		  "os": ["$os"],
		  "cpu": ["$cpu"],
		  "files": ["bin"]
		}
	EOF
	optional="$optional${optional:+, }\"@rulecheck/$os-$cpu\": \"$version\""
	if command -v npm >/dev/null; then
		npm pack --silent --pack-destination "$dir/npm" "$package"
	fi
	if command -v python3 >/dev/null; then
		python3 packaging/wheel.py "$program" "$version" "$tags" "$dir"
	fi
	if [ "$debian" != none ]; then
		for format in deb rpm; do
			ARCH=$debian VERSION=$version PROGRAM=$program SHARED=$work/shared \
				go run "$nfpm" package --config packaging/nfpm.yaml --packager "$format" --target "$dir"
		done
	fi
done

package=$work/main
mkdir -p "$package/bin"
cp packaging/npm/rulecheck.js "$package/bin/"
cp packaging/summary.md "$package/README.md"
cp LICENSE "$package/"
cat >"$package/package.json" <<EOF
{
  "name": "rulecheck",
  "version": "$version",
  "description": "Check what changed in a git repository against rules in markdown files",
  "license": "Apache-2.0",
  "repository": "github:rulecheck/rulecheck",
  "bin": { "rulecheck": "bin/rulecheck.js" },
  "files": ["bin"],
  "engines": { "node": ">=18" },
  "optionalDependencies": { $optional }
}
EOF
if command -v npm >/dev/null; then
	npm pack --silent --pack-destination "$dir/npm" "$package"
else
	echo 'build.sh: no npm, so no npm packages' >&2
fi
command -v python3 >/dev/null || echo 'build.sh: no python3, so no wheels' >&2
sums=$(cd "$dir" && find . -type f | sort | xargs sha256sum)
printf '%s\n' "$sums" >"$dir/checksums.txt"
