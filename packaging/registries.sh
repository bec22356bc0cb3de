#!/bin/sh
# usage: registries.sh DIR [COMMAND...]: publishes two versions to local registries for npm, pip, apt
# and rpm, and this repository to a git host, all over HTTP. The new version is the release in bin/release
# if make release made one; others are built for Linux on x86-64 in DIR. COMMAND runs with the address and
# the versions in SITE, NEW and OLD. Without COMMAND, all are installed in fresh directories: the old
# version, the new one, and the old one again. What has no program here is skipped.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
old=0.0.1 new=0.0.2
for file in bin/release/npm/rulecheck-[0-9]*.tgz; do
	[ ! -e "$file" ] || {
		new=$(basename "$file" .tgz)
		new=${new#rulecheck-}
		rm -rf "${dir:?}/$new"
		ln -s "$root/bin/release" "$dir/$new"
	}
done
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
for version in $old $new; do
	[ -e "$dir/$version/checksums.txt" ] || PLATFORMS=linux/amd64 sh packaging/build.sh "v$version" "$dir/$version"
done

# The site: npm/NAME is a document on all versions of a package, simple/rulecheck the wheels, apt the
# packages for Debian with their index, rpm those for Fedora, and git the repository.
site=$work/site
mkdir -p "$site/simple/rulecheck" "$site/apt" "$site/rpm" "$site/npm"
python3 -u -m http.server --bind 127.0.0.1 --directory "$site" 0 >"$work/log" 2>&1 &
server=$!
url=
while [ -z "$url" ]; do
	kill -0 "$server"
	sleep 0.1
	url=$(sed -n 's|.*(\(http://[0-9.:]*\)/).*|\1|p' "$work/log")
done
for version in $old $new; do
	cp "$dir/$version"/*.whl "$site/simple/rulecheck/"
	cp "$dir/$version"/*.deb "$site/apt/"
	cp "$dir/$version"/*.rpm "$site/rpm/"
done
if command -v dpkg-scanpackages >/dev/null; then
	(cd "$site/apt" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
fi
git clone -q --bare "$root" "$site/rulecheck.git"
for version in $old $new; do
	git -C "$site/rulecheck.git" rev-parse -q --verify "refs/tags/v$version" >/dev/null || git -C "$site/rulecheck.git" tag "v$version" HEAD
done
git -C "$site/rulecheck.git" update-server-info
python3 - "$dir" "$site/npm" "$url/npm" "$old" "$new" <<'EOF'
import base64, hashlib, json, pathlib, shutil, sys, tarfile
source, site, url, *versions = sys.argv[1:]
documents = {}
for version in versions:
    for file in sorted(pathlib.Path(source, version, "npm").glob("*.tgz")):
        with tarfile.open(file) as package:
            manifest = json.load(package.extractfile("package/package.json"))
        shutil.copy(file, site)
        digest = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
        manifest["dist"] = {"tarball": f"{url}/{file.name}", "integrity": f"sha512-{digest}"}
        document = documents.setdefault(manifest["name"], {"name": manifest["name"], "versions": {}})
        document["versions"][version] = manifest
        document["dist-tags"] = {"latest": version}
for name, document in documents.items():
    file = pathlib.Path(site, name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(document))
EOF

if [ $# -gt 0 ]; then
	SITE=$url OLD=$old NEW=$new "$@"
	exit
fi

# installs PROGRAM FUNCTION: FUNCTION VERSION installs a version as PROGRAM.
installs() {
	begin=$(date +%s)
	for version in $old $new $old; do
		"$2" "$version" >"$work/output" 2>&1 || {
			echo "registries.sh: $2 $version failed:" >&2
			cat "$work/output" >&2
			exit 1
		}
		got=$("$1" version)
		[ "$got" = "rulecheck v$version" ] || {
			echo "registries.sh: $2: the program is \"$got\", want v$version" >&2
			exit 1
		}
	done
	echo "$2: installed $old, upgraded to $new, back to $old; $(($(date +%s) - begin)) s"
}

from_npm() {
	npm install --prefix "$work/npm" --registry "$url/npm/" --cache "$work/npm-cache" --prefer-online --no-audit --no-fund "rulecheck@$1"
}
from_pip() {
	[ -d "$work/venv" ] || python3 -m venv "$work/venv"
	PIP_CONFIG_FILE=/dev/null "$work/venv/bin/pip" install --disable-pip-version-check --no-cache-dir --isolated \
		--index-url "$url/simple/" --trusted-host 127.0.0.1 "rulecheck==$1"
}
from_apt() {
	set -- "$1" -o "Dir::Etc=$work/apt/etc" -o "Dir::State=$work/apt/state" -o "Dir::Cache=$work/apt/cache" \
		-o "Dir::State::status=$work/apt/root/var/lib/dpkg/status" -o APT::Architecture=amd64 -o APT::Sandbox::User=root \
		-o Acquire::http::Proxy=DIRECT -o "DPkg::Options::=--root=$work/apt/root" -o DPkg::Options::=--force-not-root -o DPkg::Options::=--force-script-chrootless
	version=$1
	shift
	apt-get "$@" update
	apt-get "$@" install -y --no-install-recommends --allow-downgrades "rulecheck=$version"
}
from_rpm() {
	rpm --root "$work/rpm" --upgrade --oldpackage --nodeps "$url/rpm/rulecheck-$1-1.x86_64.rpm"
	rpm --root "$work/rpm" --verify rulecheck
}
# From a git host, Go builds the program of a tag.
from_git() {
	[ -d "$work/clone" ] || git clone -q "$url/rulecheck.git" "$work/clone"
	(cd "$work/clone" && git fetch -q && git checkout -q "v$1" && CGO_ENABLED=0 go build -trimpath -ldflags "-X main.linked=v$1" -o "$work/bin/rulecheck" ./cmd/rulecheck)
}

if command -v npm >/dev/null; then installs "$work/npm/node_modules/.bin/rulecheck" from_npm; else echo 'from_npm: skipped, there is no npm'; fi
if python3 -c 'import venv' 2>/dev/null; then installs "$work/venv/bin/rulecheck" from_pip; else echo 'from_pip: skipped, there is no venv'; fi
if command -v apt-get >/dev/null && command -v dpkg-scanpackages >/dev/null; then
	mkdir -p "$work/apt/etc/apt.conf.d" "$work/apt/etc/preferences.d" "$work/apt/etc/trusted.gpg.d" "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial" "$work/apt/root/var/lib/dpkg"
	touch "$work/apt/root/var/lib/dpkg/status"
	echo "deb [trusted=yes] $url/apt ./" >"$work/apt/etc/sources.list"
	installs "$work/apt/root/usr/bin/rulecheck" from_apt
else
	echo 'from_apt: skipped, there is no apt-get or dpkg-scanpackages'
fi
if command -v rpm >/dev/null; then
	mkdir -p "$work/rpm" && rpm --root "$work/rpm" --initdb
	installs "$work/rpm/usr/bin/rulecheck" from_rpm
else
	echo 'from_rpm: skipped, there is no rpm'
fi
installs "$work/bin/rulecheck" from_git
