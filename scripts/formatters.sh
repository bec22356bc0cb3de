#!/bin/sh
# Installs the formatters that tests run in a scratch copy and in place, below
# .tools/ of this repository, from npm. The directory's name has the version, so
# that a new one is a new directory.
set -eu
version=3.6.2
dir=$(cd "$(dirname "$0")/.." && pwd)/.tools/prettier-$version
[ -x "$dir/node_modules/.bin/prettier" ] ||
	npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$dir" "prettier@$version"
