#!/bin/sh
# usage: place.sh [COMMIT [VERSION [OWNER/NAME]]]: sets which commit users pin, HEAD by default, the
# version it is shown as, and the public repository, and rewrites what repeats them. It commits nothing.
set -eu
cd "$(dirname "$0")/.."
file=packaging/place.env
commit=$(git rev-parse --verify --quiet "${1:-HEAD}^{commit}") || {
	echo "place.sh: unknown commit \"$1\"; want one of this repository" >&2
	exit 2
}
repository=${3:-$(sed -n 's/^REPOSITORY=//p' "$file")}
printf '%s' "$repository" | grep -Eqx '[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+' || {
	echo "place.sh: bad repository \"$repository\"; want OWNER/NAME" >&2
	exit 2
}
{
	sed -n '/^#/p' "$file"
	printf 'REPOSITORY=%s\nCOMMIT=%s\nVERSION=%s\n' "$repository" "$commit" "${2:-main}"
} >"$file.new"
mv "$file.new" "$file"
UPDATE=1 "${GO:-go}" test -count 1 ./packaging -run '^TestPlace$' >/dev/null
