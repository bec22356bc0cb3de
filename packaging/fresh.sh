#!/bin/sh
# usage: fresh.sh DIR [clone] [npm] [pip] [deb] [rpm]: installs rulecheck on fresh Debian systems in DIR
# as a stranger does, and prints the seconds of each step and the load of the machine: from a clone,
# with the commands that README.md has, and from the packages in bin/release, with the programs of
# their systems. Each then gets the first finding of docs/start.md. As a command of registries.sh, it
# installs from the registries before that, downgrades, upgrades and removes the program. The systems are
# roots made by debootstrap, so it needs root.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- clone npm pip deb rpm
command -v debootstrap >/dev/null || { echo 'fresh.sh: there is no debootstrap in PATH; install it' >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# timed NAME COMMAND...
timed() {
	name=$1 begin=$(date +%s)
	shift
	"$@" >"$work/output" 2>&1 || {
		echo "fresh.sh: $name failed:" >&2
		cat "$work/output" >&2
		exit 1
	}
	echo "$name: $(($(date +%s) - begin)) s at load $(cut -d ' ' -f 1 /proc/loadavg)"
}

# A root with what every Debian system has, and the certificates and name server of this machine.
base() {
	[ -e "$dir/base/complete" ] || {
		rm -rf "$dir/base"
		mkdir -p "$dir/cache"
		debootstrap --variant=minbase --include=ca-certificates --cache-dir="$dir/cache" bookworm "$dir/base"
		touch "$dir/base/complete"
	}
	echo 'APT::Get::Assume-Yes "true";' >"$dir/base/etc/apt/apt.conf.d/yes"
	cp -L /etc/resolv.conf "$dir/base/etc/resolv.conf"
	cp -L /etc/ssl/certs/ca-certificates.crt "$dir/base/etc/ssl/certs/ca-certificates.crt"
}
# fresh PACKAGE...: makes the system of this kind, and installs packages of Debian.
fresh() {
	rm -rf "${dir:?}/$kind"
	cp -a "$dir/base" "$dir/$kind"
	inside 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q --no-install-recommends '"$*"
}
# inside SCRIPT: runs a script on the system, with none of the variables of this machine but those
# about its network. The root is its own, not that of chroot, in which Linux refuses user namespaces.
inside() {
	# shellcheck disable=SC2016,SC2046 # sh expands it; words
	env -i HOME=/root PATH=/root/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/go/bin LANG=C.UTF-8 \
		$(env | grep -E '^(https?_proxy|no_proxy|GOPROXY|GONOSUMDB|GOSUMDB)=' || true) \
		unshare --mount --pid --fork --propagation private sh -euc '
			mount --rbind "$1" "$1"
			mount --rbind /dev "$1/dev"
			mount -t tmpfs tmpfs "$1/dev/shm"
			mount -t proc proc "$1/proc"
			mkdir -p "$1/old" && cd "$1" && pivot_root . old
			umount -l /old
			cd /root
			exec sh -euc "$2"' sh "$dir/$kind" "$1"
}

# block FILE HEADING INFO: prints the first block of a section of a document with this info string.
block() {
	awk -v heading="## $2" -v info="\`\`\`$3" '
		/^## / { in_section = $0 == heading }
		open && /^```/ { exit }
		open
		in_section && $0 == info { open = 1 }' "$1"
}
# calls FILE HEADING: prints the commands of the first console of a section.
calls() {
	block "$1" "$2" console | sed -n 's/^\$ //p'
}

# finding: the system gets the first finding of docs/start.md, and then none.
finding() {
	{
		echo 'git config --global user.name n; git config --global user.email e@example.com; git config --global init.defaultBranch main'
		echo 'git init -q project; cd project; mkdir -p .rulecheck/rules; git commit -q --allow-empty -m start'
		echo "cat >.rulecheck/rules/source-test.md <<'RULE'"
		block docs/start.md 'Write a rule' markdown
		echo RULE
		echo 'set +e'
		calls docs/start.md 'Check a change'
	} >"$dir/$kind/root/first"
	inside 'rm -rf project; sh first' >"$work/finding" 2>&1
	cat "$work/finding"
	grep -q '^  src/login.py:1 → tests/test_login.py$' "$work/finding"
	grep -q '^passed: no findings; ' "$work/finding"
}

# The commands of README.md, with the address of a clone of this commit.
from_clone() {
	timed 'clone: system with git, make and Go' with_go
	git clone -q --bare "$root" "$dir/$kind/root/rulecheck.git"
	block README.md Install sh | sed -e 's/ *#.*//' -e "s|^git clone [^ ]*|git clone /root/rulecheck.git|" >"$work/readme"
	grep -q '^git clone /root/rulecheck.git ' "$work/readme" && grep -qx 'make test' "$work/readme"
	place=:
	while IFS= read -r call; do
		timed "clone: $call" inside "$place; $call"
		case $call in *'cd rulecheck') place='cd rulecheck' ;; esac
		[ "$call" != 'make run' ] || tail -n 25 "$work/output"
	done <"$work/readme"
	inside 'cp rulecheck/bin/rulecheck /usr/local/bin/'
	timed 'clone: first finding' finding
}
with_go() {
	fresh git make
	cp -a "$(go env GOROOT)" "$dir/$kind/usr/local/go"
}

# install NAME FILE...: runs the command of docs/integrations.md for a package, with these files.
install() {
	call=$(awk -F '`' -v name="$1" 'index($1, "| " name) == 1 { print $2; exit }' docs/integrations.md)
	shift
	for file; do
		[ -e "$file" ] || { echo "fresh.sh: there is no $file; run: make release" >&2 && exit 2; }
		cp "$file" "$dir/$kind/root/"
		name=$(basename "$file")
		pattern=$(echo "$name" | sed -E "s/[0-9]+\.[0-9]+\.[0-9]+/VERSION/; s/-py3-.*/-….whl/")
		call=$(echo "$call" | sed "s|$pattern|$name|")
	done
	timed "$kind: $call" inside "$call"
	timed "$kind: first finding" finding
}
# published INSTALL DOWNGRADE UPGRADE REMOVE: with registries, installs the new version, which gets the
# first finding, goes back to the old one and to the new one again, and removes it.
published() {
	[ "${SITE:-}" ] || return 0
	version "$NEW" "$1"
	timed "$kind: first finding" finding
	version "$OLD" "$2"
	version "$NEW" "$3"
	timed "$kind: $4" inside "$4; ! command -v rulecheck"
}
# version VERSION CALL: runs a call for a version, and checks that the program is of it.
version() {
	call=$(echo "$2" | sed "s/VERSION/$1/g")
	timed "$kind: $call" inside "$call"
	got=$(inside 'rulecheck version')
	[ "$got" = "rulecheck v$1" ] || { echo "fresh.sh: $call: the program is \"$got\", want v$1" >&2 && exit 1; }
}
from_npm() {
	timed 'npm: system with git and npm' fresh git nodejs npm
	[ ! "${SITE:-}" ] || inside "npm config set registry $SITE/npm/; npm config set prefer-online true"
	call='npm install --global rulecheck@VERSION'
	published "$call" "$call" "$call" 'npm uninstall --global rulecheck'
	install npm bin/release/npm/rulecheck-[0-9]*.tgz bin/release/npm/rulecheck-linux-x64-*.tgz
}
from_pip() {
	timed 'pip: system with git and pipx' fresh git pipx
	[ ! "${SITE:-}" ] || printf '[global]\nindex-url = %s/simple/\n' "$SITE" >"$dir/$kind/etc/pip.conf"
	published 'pipx install rulecheck==VERSION' 'pipx install --force rulecheck==VERSION' 'pipx upgrade rulecheck' 'pipx uninstall rulecheck'
	install pipx bin/release/rulecheck-*manylinux*x86_64*.whl
}
from_deb() {
	timed 'deb: system without git' fresh apt
	if [ "${SITE:-}" ]; then
		echo "deb [trusted=yes] $SITE/apt ./" >"$dir/$kind/etc/apt/sources.list.d/rulecheck.list"
		inside 'apt-get update -q'
	fi
	published 'apt-get install rulecheck' 'apt-get install --allow-downgrades rulecheck=VERSION' 'apt-get upgrade' 'apt-get remove rulecheck'
	install Debian bin/release/rulecheck_*_amd64.deb
}
from_rpm() {
	timed 'rpm: system with git and dnf' fresh git dnf
	echo assumeyes=True >>"$dir/$kind/etc/dnf/dnf.conf"
	file=${SITE:-}/rpm/rulecheck-VERSION-1.x86_64.rpm
	published "dnf install $file" "dnf downgrade $file" "dnf upgrade $file" 'dnf remove rulecheck'
	install Fedora bin/release/rulecheck-*.x86_64.rpm
}

timed 'fresh root of Debian' base
for kind; do "from_$kind"; done
