#!/bin/sh
# Installs the programs that rulecheck is compared with, from npm and the Go proxy, and
# prints their directory. Programs that cannot be installed are named on standard error.
# Usage: peers.sh
set -eu
root=${XDG_CACHE_HOME:-$HOME/.cache}/rulecheck/peers
bin=$root/bin
mkdir -p "$bin"

# from_npm PROGRAM PACKAGE VERSION
from_npm() {
	dir=$root/$1-$3
	if [ ! -e "$dir/node_modules/.bin/$1" ]; then
		npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$dir" "$2@$3" >&2 || return 1
	fi
	ln -sf "$dir/node_modules/.bin/$1" "$bin/$1"
}

# from_go PROGRAM PACKAGE VERSION
from_go() {
	dir=$root/$1-$3
	if [ ! -e "$dir/$1" ]; then
		GOBIN=$dir CGO_ENABLED=0 GOFLAGS=-trimpath go install -ldflags '-s -w' "$2@$3" >&2 || return 1
	fi
	ln -sf "$dir/$1" "$bin/$1"
}

# wanted FROM PROGRAM PACKAGE VERSION: a failure does not stop the script.
wanted() {
	rm -f "$bin/$2"
	from=$1
	shift
	"$from" "$@" || echo "peers: $1 $3 cannot be installed" >&2
}

wanted from_npm lefthook lefthook 2.2.2
wanted from_npm prek @j178/prek 0.5.3
wanted from_npm lint-staged lint-staged 16.4.0
wanted from_npm cc-safety-net cc-safety-net 2.4.5
wanted from_npm danger danger 14.0.7
wanted from_go conftest github.com/open-policy-agent/conftest v0.71.1
echo "$bin"
