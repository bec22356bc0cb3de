#!/bin/sh
# Downloads uPlot, which draws the timelines of the html format, from npm into
# internal/report/html/uplot/. To update, change the version and its hash:
# `npm view uplot@VERSION dist.integrity` prints the second.
set -eu
version=1.6.32
integrity=sha512-KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw==

dir=$(cd "$(dirname "$0")/.." && pwd)/internal/report/html/uplot
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm pack --silent "uplot@$version" >/dev/null
got=sha512-$(openssl dgst -sha512 -binary "uplot-$version.tgz" | openssl base64 -A)
[ "$got" = "$integrity" ] || {
	echo "uplot.sh: uplot-$version.tgz has the hash $got; want $integrity" >&2
	exit 1
}
tar -xzf "uplot-$version.tgz"
mkdir -p "$dir"
cp package/LICENSE package/dist/uPlot.iife.min.js package/dist/uPlot.min.css "$dir"
