#!/bin/sh
# usage: install.sh [VERSION]: downloads the archive of a release of rulecheck for this platform,
# verifies its checksum and, with the GitHub CLI, its attestation, and installs it in ~/.local:
# the program in bin, the manual page and shell completions in share. Without VERSION it installs
# the latest release.
#
# RULECHECK_PREFIX      install there instead of in ~/.local
# RULECHECK_RELEASES    download from there instead of https://github.com/OWNER/rulecheck/releases
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

# platform prints the system and processor as the names of archives have them.
platform() {
	source="build it with Go: go install github.com/rulecheck/rulecheck/cmd/rulecheck@latest"
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS* | CYGWIN*) fail "this script does not install on Windows; install the package for npm or pip" ;;
	*) fail "there is no archive for the system \"$(uname -s)\"; $source" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) echo "${os}_amd64" ;;
	aarch64 | arm64) echo "${os}_arm64" ;;
	*) fail "there is no archive for the processor \"$(uname -m)\"; $source" ;;
	esac
}

# download URL FILE
download() {
	if command -v curl >/dev/null; then
		curl --fail --silent --show-error --location --proto "=$protocols" --output "$2" "$1"
	elif command -v wget >/dev/null; then
		tries=
		! wget --version >/dev/null 2>&1 || tries=--tries=2 # only GNU's wget retries, 20 times
		# shellcheck disable=SC2086 # no word if it is empty
		wget $tries -q -O "$2" "$1"
	else
		fail "there is neither curl nor wget in PATH; install one of them"
	fi || fail "cannot download $1; see the message above, and try again"
}

# sha256 FILE: prints its hash, with one of the programs that systems have for it.
sha256() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1"
	elif command -v shasum >/dev/null; then
		shasum -a 256 "$1"
	else
		openssl dgst -r -sha256 "$1"
	fi | cut -d ' ' -f 1
}

# attested ARCHIVE: verifies that the release workflow built it, if the GitHub CLI can.
attested() {
	if ! command -v gh >/dev/null || ! gh attestation --help >/dev/null 2>&1; then
		echo "install.sh: the attestation is not verified: there is no GitHub CLI (gh) with gh attestation" >&2
	elif ! gh auth status >/dev/null 2>&1; then
		echo "install.sh: the attestation is not verified: gh is not logged in" >&2
	else
		gh attestation verify "$1" --repo OWNER/rulecheck >&2 ||
			fail "the attestation of ${1##*/} is not valid, so nothing is installed; report it to the project"
	fi
}

# place FILE TARGET MODE: replaces TARGET at once, also while it runs.
place() {
	mkdir -p "${2%/*}"
	cp "$1" "$2.new.$$"
	chmod "$3" "$2.new.$$"
	mv -f "$2.new.$$" "$2"
}

main() {
	[ $# -le 1 ] || fail "too many arguments; want install.sh [VERSION]"
	case ${1:-} in
	"" | [0-9]*.[0-9]*.[0-9]* | v[0-9]*.[0-9]*.[0-9]*) ;;
	*) fail "bad version \"$1\"; want one such as v1.2.0" ;;
	esac
	prefix=${RULECHECK_PREFIX:-${HOME:?want a home, or RULECHECK_PREFIX}/.local}
	releases=${RULECHECK_RELEASES:-https://github.com/OWNER/rulecheck/releases}
	protocols=https
	case $releases in http://*) protocols=http,https ;; esac
	files=$releases/latest/download
	[ -z "${1:-}" ] || files=$releases/download/v${1#v}
	platform=$(platform)
	command -v sha256sum >/dev/null || command -v shasum >/dev/null || command -v openssl >/dev/null ||
		fail "there is no sha256sum, shasum or openssl in PATH to verify the download; install one of them"

	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	download "$files/checksums.txt" "$work/checksums.txt"
	line=$(grep -E "^[0-9a-f]{64}  rulecheck_[0-9A-Za-z.+-]+_$platform\.tar\.gz\$" "$work/checksums.txt" || true)
	case $line in
	"") fail "$files/checksums.txt has no checksum of an archive for $platform, so nothing is installed" ;;
	*"
"*) fail "$files/checksums.txt lists several archives for $platform, so nothing is installed" ;;
	esac
	want=${line%% *} name=${line##* }
	download "$files/$name" "$work/$name"
	got=$(sha256 "$work/$name")
	[ "$got" = "$want" ] || fail "the sha256 of $name is $got, and checksums.txt has $want, so nothing is installed; try again"
	attested "$work/$name"

	mkdir "$work/archive"
	tar -xzf "$work/$name" -C "$work/archive"
	version=$("$work/archive/rulecheck" version) || fail "the program in $name does not run here"
	share=$prefix/share
	place "$work/archive/man/rulecheck.1" "$share/man/man1/rulecheck.1" 644
	place "$work/archive/completions/rulecheck.bash" "$share/bash-completion/completions/rulecheck" 644
	place "$work/archive/completions/_rulecheck" "$share/zsh/site-functions/_rulecheck" 644
	place "$work/archive/completions/rulecheck.fish" "$share/fish/vendor_completions.d/rulecheck.fish" 644
	place "$work/archive/rulecheck" "$prefix/bin/rulecheck" 755
	echo "installed $version in $prefix/bin"
	case ":$PATH:" in
	*":$prefix/bin:"*) ;;
	*) echo "$prefix/bin is not in PATH; add it in the configuration of your shell: export PATH=\"$prefix/bin:\$PATH\"" ;;
	esac
}

main "$@" # at the end: a script that was cut short does nothing
