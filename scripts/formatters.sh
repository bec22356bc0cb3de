#!/bin/sh
# Installs the formatters that tests run, from npm into .tools/.
set -eu
version=3.6.2
dir=$(cd "$(dirname "$0")/.." && pwd)/.tools/prettier-$version
[ -x "$dir/node_modules/.bin/prettier" ] ||
	npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$dir" "prettier@$version"
