#!/bin/sh
# Renews the price table of sessions from the newest @pydantic/genai-prices, or the version that
# is named: sh scripts/prices.sh [VERSION]. It needs npm and node.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" "@pydantic/genai-prices@${1:-latest}"
package="$dir/node_modules/@pydantic/genai-prices"
version=$(node -p "require('$package/package.json').version")
date=$(npm view "@pydantic/genai-prices@$version" time --json | node -p "JSON.parse(require('fs').readFileSync(0))['$version'].slice(0, 10)")
node scripts/prices.mjs "$package" "$date" internal/agents/price/prices.json.gz
