#!/bin/sh
# usage: test.sh DIR: installs each package for Linux on x86-64 that build.sh wrote to DIR and
# checks that it gives a first finding. It prints the seconds of each.
set -eu
dir=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work/home PATH=/usr/local/bin:/usr/bin:/bin
export HOME PATH
mkdir -p "$HOME"
git config --global user.name rulecheck
git config --global user.email rulecheck@example.com
git config --global init.defaultBranch main

# finding COMMAND...: the command finds what is wrong in a new repository.
finding() {
	rm -rf "$work/repo"
	git init -q "$work/repo"
	(
		cd "$work/repo"
		mkdir -p .rulecheck/rules src
		printf -- '---\nset: ["src/{path}.py", "tests/{path}_test.py"]\n---\nChange both.\n' >.rulecheck/rules/source-test.md
		echo x >src/a.py
		git add -A
		status=0
		"$@" --staged >"$work/output" || status=$?
		if [ "$status" != 1 ] || ! grep -q 'src/a.py:1 → tests/a_test.py' "$work/output"; then
			echo "test.sh: $*: exit status $status, want 1 and a finding" >&2
			cat "$work/output" >&2
			exit 1
		fi
	)
}

# timed NAME FUNCTION: runs a test and prints how long it took.
timed() {
	begin=$(date +%s)
	"$2"
	echo "$1: ok, $(($(date +%s) - begin)) s"
}

npm_packages() {
	mkdir "$work/npm" && cd "$work/npm"
	npm install --silent --offline --no-audit --no-fund "$dir"/npm/rulecheck-linux-x64-*.tgz "$dir"/npm/rulecheck-[0-9]*.tgz
	finding "$work/npm/node_modules/.bin/rulecheck"
}
npm_without_platform() {
	mkdir "$work/alone" && cd "$work/alone"
	npm install --silent --offline --no-audit --no-fund --omit=optional "$dir"/npm/rulecheck-[0-9]*.tgz
	status=0
	node_modules/.bin/rulecheck version 2>"$work/output" || status=$?
	[ "$status" = 3 ] && grep -q 'the package @rulecheck/linux-x64 is not installed' "$work/output"
}
wheel() {
	python3 -m venv "$work/venv"
	"$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$dir"/*manylinux*x86_64*.whl
	finding "$work/venv/bin/rulecheck"
	"$work/venv/bin/pip" uninstall --quiet --yes rulecheck
	[ ! -e "$work/venv/bin/rulecheck" ]
}
debian() {
	dpkg-deb --info "$dir"/rulecheck_*_amd64.deb >/dev/null
	dpkg-deb --extract "$dir"/rulecheck_*_amd64.deb "$work/deb"
	[ -s "$work/deb/usr/share/bash-completion/completions/rulecheck" ] && [ -s "$work/deb/usr/share/man/man1/rulecheck.1.gz" ]
	finding "$work/deb/usr/bin/rulecheck"
}
rpm_package() {
	rpm --root "$work/rpm" --initdb
	rpm --root "$work/rpm" --install --nodeps "$dir"/rulecheck-*.x86_64.rpm
	rpm --root "$work/rpm" --verify rulecheck
	finding "$work/rpm/usr/bin/rulecheck"
}

(cd "$dir" && sha256sum --quiet --check checksums.txt)
for test in npm:npm_packages npm:npm_without_platform python3:wheel dpkg-deb:debian rpm:rpm_package; do
	if command -v "${test%:*}" >/dev/null; then
		timed "${test#*:}" "${test#*:}"
	else
		echo "${test#*:}: skipped, there is no ${test%:*}"
	fi
done
