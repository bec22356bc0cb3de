#!/bin/sh
# Compiles the grammars of tree-sitter to WebAssembly, from sources with fixed versions and
# hashes, into internal/content/symbol/treesitter/grammars/. With the same compiler the
# result is the same, byte for byte; its version is in the file COMPILER there.
# Usage: grammars.sh [DIRECTORY]
# Needs npm, go and, of Debian 12:
#   apt-get install zstd patch clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32
# To update a grammar, change its version and hash (sha256sum of `npm pack`).
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/internal/content/symbol/treesitter/grammars}
mkdir -p "$out"
out=$(cd "$out" && pwd)
core=v0.25.0
core_sum=h1:sx6kcg8raRFCvc9BnXglke6axya12krCJF5xJ2sftRU=

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'module grammars\n' >go.mod
json=$(GOFLAGS=-mod=mod go mod download -json "github.com/tree-sitter/go-tree-sitter@$core")
case $json in
*"\"Sum\": \"$core_sum\""*) ;;
*) echo "grammars.sh: go-tree-sitter $core has another hash; want $core_sum" >&2; exit 1 ;;
esac
dir=$(printf '%s\n' "$json" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -R "$dir" core
chmod -R u+w core
# The system's byte order, which the core asks of headers that wasi-libc has not.
cat >core/src/portable/endian.h <<'END'
#define htole16(x) (x)
#define le16toh(x) (x)
#define be16toh(x) __builtin_bswap16(x)
END
# What the core does otherwise here: no search for the tree with the fewest errors, and steps
# that are counted.
patch -s -p1 -d core <"$root/scripts/grammars/core.patch"
cp "$root/scripts/grammars/shim.c" .
flags="--target=wasm32-wasi -O2 -flto -msign-ext -mbulk-memory -DNDEBUG -ffile-prefix-map=$work=. -fvisibility=hidden -Wno-everything -Icore/include -Icore/src"
# shellcheck disable=SC2086 # several options
clang-14 $flags -c -o core.o core/src/lib.c
(cd "$root" && go build -o "$work/split" scripts/grammars/split.go)
cp core/LICENSE "$out/LICENSE.tree-sitter"
cp core/src/unicode/LICENSE "$out/LICENSE.unicode"

# grammar NAME PACKAGE VERSION SHA-256 DIRECTORY
grammar() {
	tgz=$(printf %s "$2-$3.tgz" | sed 's/^@//; s,/,-,')
	mkdir "$1"
	npm pack --silent --pack-destination "$1" "$2@$3" >/dev/null
	got=$(sha256sum "$1/$tgz" | cut -d' ' -f1)
	[ "$got" = "$4" ] || {
		echo "grammars.sh: $tgz has the hash $got; want $4" >&2
		exit 1
	}
	tar -xzf "$1/$tgz" -C "$1" --strip-components=1
	cp "$1/LICENSE" "$out/LICENSE.$1"
	[ ! -f "$root/scripts/grammars/$1.patch" ] || patch -s -p1 -d "$1" <"$root/scripts/grammars/$1.patch"
	src=$1/$5
	# The lexer calls the core without a table of functions, and its text has no NUL.
	sed -i 's/lexer->advance(lexer, skip);/ts_lexer_advance(lexer, skip);/; s/lexer->mark_end(lexer);/ts_lexer_mark_token_end(lexer);/
		s/^#define START_LEXER/void ts_lexer_advance(TSLexer *, bool);\nvoid ts_lexer_mark_token_end(TSLexer *);\n&/' "$src/tree_sitter/parser.h"
	sed -i 's/eof = lexer->eof(lexer);/eof = !lookahead;/' "$src/parser.c"
	scanner=
	[ ! -f "$src/scanner.c" ] || scanner=$src/scanner.c
	# shellcheck disable=SC2086 # several options, and perhaps no scanner
	clang-14 $flags -DLANGUAGE="tree_sitter_$1" -mexec-model=reactor -I"$src" \
		-Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=1048576 -Wl,--initial-memory=8388608 \
		-o "$1.wasm" shim.c core.o "$src/parser.c" $scanner
	./split "$1.wasm"
	for part in code data; do
		zstd -q -f -19 "$1.$part" -o "$out/$1.$part.zst"
		echo "$1.$part: $(wc -c <"$1.$part") bytes, compressed $(wc -c <"$out/$1.$part.zst")"
	done
}

clang-14 --version | head -1 >"$out/COMPILER"
zstd --version >>"$out/COMPILER"
cat "$out/COMPILER"
jobs=
grammar python tree-sitter-python 0.25.0 63b76b3fa8181fd79eaad4abcdb21e2babcb504dbfc7710a89934fa456d26096 src &
jobs="$jobs $!"
grammar typescript tree-sitter-typescript 0.23.2 0fdf63c35930a75885145d75ee63cb879da2d49db9bfe454bd8e60b08ba778a1 typescript/src &
jobs="$jobs $!"
grammar tsx tree-sitter-typescript 0.23.2 0fdf63c35930a75885145d75ee63cb879da2d49db9bfe454bd8e60b08ba778a1 tsx/src &
jobs="$jobs $!"
grammar javascript tree-sitter-javascript 0.25.0 6214ce23d03aba525ba8edd6ca7caf365c969f2c2dbfc353e376ca54507ffb92 src &
jobs="$jobs $!"
grammar java tree-sitter-java 0.23.5 6b6c1b62605f9d8bb80efd2ebe5951a87b182faafa3eeb67c460a667818551b6 src &
jobs="$jobs $!"
grammar rust tree-sitter-rust 0.24.0 4248da0b9ea40fec13ef010822e7b92a9d1ebdf74f6f2733539b1dbbb086c5bb src &
jobs="$jobs $!"
grammar ruby tree-sitter-ruby 0.23.1 1f0f0c100e31ddf650962ebb1f1fb8420bdbabccd49582f6e731ea7478db639d src &
jobs="$jobs $!"
grammar php tree-sitter-php 0.24.2 fdd22530d3845540ba74a1199d3f67204a608c99994bb423645d3f0cfdaead94 php/src &
jobs="$jobs $!"
grammar c_sharp tree-sitter-c-sharp 0.23.5 dde5d56fe441a7d64616462c8d741ab4af7874484de6aa74548ac5770c50c414 src &
jobs="$jobs $!"
grammar kotlin @tree-sitter-grammars/tree-sitter-kotlin 1.1.0 28916be3fdb0487dbd4fd0ea62281f969f15cab2bf13132ceb18d2fb167aa697 src &
jobs="$jobs $!"
for job in $jobs; do wait "$job"; done
