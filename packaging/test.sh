#!/bin/sh
# usage: test.sh DIR: installs each package for Linux on x86-64 that build.sh wrote to DIR and
# checks that it gives a first finding. It prints the seconds of each, and what it skips.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(cd "$1" && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
HOME=$work/home PATH=$(dirname "$(command -v go)"):/usr/local/bin:/usr/bin:/bin
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

# shared PREFIX: the manual page and the completions are there.
shared() {
	(cd "$1/share" && ls man/man1/rulecheck.1* bash-completion/completions/rulecheck fish/vendor_completions.d/rulecheck.fish zsh/*/_rulecheck) >/dev/null
}

install_script() {
	mkdir -p "$work/releases/latest" "$work/prefix"
	ln -s "$dir" "$work/releases/latest/download"
	python3 -u -m http.server --bind 127.0.0.1 --directory "$work/releases" 0 >"$work/server" 2>&1 &
	server=$!
	url=
	while [ -z "$url" ]; do
		kill -0 "$server"
		sleep 0.1
		url=$(sed -n 's|.*(\(http://[0-9.:]*\)/).*|\1|p' "$work/server")
	done
	RULECHECK_RELEASES=$url RULECHECK_PREFIX=$work/prefix sh "$dir/install.sh"
	finding "$work/prefix/bin/rulecheck"
	shared "$work/prefix"
}
sbom() {
	python3 - "$work/prefix/bin/rulecheck" "$dir"/rulecheck_*_linux_amd64.cdx.json <<-'EOF'
		import json, subprocess, sys
		got = {c["name"] for c in json.load(open(sys.argv[2]))["components"]}
		want = {line.split()[1] for line in subprocess.check_output(["go", "version", "-m", sys.argv[1]], text=True).splitlines() if line.startswith("\tdep")}
		assert len(want) > 10 and want < got, want - got
	EOF
}
formula() {
	ruby -c "$dir/rulecheck.rb" >/dev/null
	ruby "$root/packaging/formula.rb" "$dir"
}
npm_packages() {
	mkdir "$work/npm" && cd "$work/npm"
	npm install --silent --offline --no-audit --no-fund "$dir"/npm/rulecheck-linux-x64-*.tgz "$dir"/npm/rulecheck-[0-9]*.tgz
	finding "$work/npm/node_modules/.bin/rulecheck"
	[ -s node_modules/rulecheck/man/rulecheck.1 ] && [ -s node_modules/rulecheck/completions/rulecheck.bash ]
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
	shared "$work/venv"
	"$work/venv/bin/pip" uninstall --quiet --yes rulecheck
	[ ! -e "$work/venv/bin/rulecheck" ]
}
debian() {
	dpkg-deb --info "$dir"/rulecheck_*_amd64.deb >/dev/null
	dpkg-deb --extract "$dir"/rulecheck_*_amd64.deb "$work/deb"
	shared "$work/deb/usr"
	finding "$work/deb/usr/bin/rulecheck"
}
rpm_package() {
	rpm --root "$work/rpm" --initdb
	rpm --root "$work/rpm" --install --nodeps "$dir"/rulecheck-*.x86_64.rpm
	rpm --root "$work/rpm" --verify rulecheck
	shared "$work/rpm/usr"
	finding "$work/rpm/usr/bin/rulecheck"
}
# The hooks with the wheel, from a repository that is this one at the tag of the release.
pre_commit_hooks() {
	git init -q "$work/hooks"
	cp -R "$root/.pre-commit-hooks.yaml" "$root/pyproject.toml" "$root/packaging" "$work/hooks/"
	wheel=$(cd "$dir" && echo rulecheck-*manylinux*x86_64*.whl)
	version=${wheel#rulecheck-}
	(cd "$work/hooks" && sed -i "s/^VERSION = .*/VERSION = \"${version%%-*}\"/" packaging/requirement.py && git add -A && git commit -qm hooks)
	cat >"$work/pre-commit" <<-EOF
		#!/bin/sh
		git rev-parse -q --verify HEAD >/dev/null || git commit -q --only --allow-empty -m start
		printf 'repos: [{repo: "$work/hooks", rev: "$(git -C "$work/hooks" rev-parse HEAD)", hooks: [{id: rulecheck-python}]}]\n' >.pre-commit-config.yaml
		git add .pre-commit-config.yaml
		PIP_NO_INDEX=1 PIP_FIND_LINKS=$dir pre-commit run
	EOF
	chmod +x "$work/pre-commit"
	finding "$work/pre-commit"
}
# image_finding COMMAND...: the command runs the image with the arguments after it.
image_finding() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$work/run-image"
	chmod +x "$work/run-image"
	finding "$work/run-image"
}
# shellcheck disable=SC2016 # it is expanded in the repository
docker_image() {
	docker buildx build --quiet --load --platform linux/amd64 --tag rulecheck:test "$dir/image" >/dev/null
	image_finding 'docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD:/repo"' rulecheck:test
}
# shellcheck disable=SC2016 # it is expanded in the repository
podman_image() {
	export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
	buildah bud --quiet --platform linux/amd64 --tag rulecheck:test "$dir/image" >/dev/null
	image_finding 'podman --cgroup-manager cgroupfs --runtime runc run --rm --network none --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --user "$(id -u):$(id -g)" --volume "$PWD:/repo"' rulecheck:test
}

(cd "$dir" && sed 's|  \(.*\.tgz\)$|  npm/\1|' checksums.txt | sha256sum --quiet --check -)
[ ! -e "$dir/rulecheck.rb" ] || tests=ruby:formula
image=docker:docker_image
docker buildx version >/dev/null 2>&1 || image=buildah:podman_image
for test in python3:install_script go:sbom ${tests:-} npm:npm_packages npm:npm_without_platform python3:wheel pre-commit:pre_commit_hooks \
	dpkg-deb:debian rpm:rpm_package $image; do
	if command -v "${test%:*}" >/dev/null; then
		timed "${test#*:}" "${test#*:}"
	else
		echo "${test#*:}: skipped, there is no ${test%:*}"
	fi
done
