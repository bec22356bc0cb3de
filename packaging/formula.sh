#!/bin/sh
# usage: formula.sh VERSION CHECKSUMS: prints the Homebrew formula of VERSION, whose archives are
# in the file CHECKSUMS.
set -eu
version=${1#v} checksums=$2
archive() { # archive OS ARCH: the url and sha256 of an archive
	name=rulecheck_${version}_$1_$2.tar.gz
	sum=$(awk -v name="$name" '$2 == name { print $1 }' "$checksums")
	[ -n "$sum" ] || { echo "formula.sh: $checksums has no line for $name" >&2 && exit 1; }
	printf '      url "https://github.com/OWNER/rulecheck/releases/download/v%s/%s"\n      sha256 "%s"\n' "$version" "$name" "$sum"
}
mac_arm=$(archive darwin arm64)
mac_intel=$(archive darwin amd64)
linux_arm=$(archive linux arm64)
linux_intel=$(archive linux amd64)
cat <<EOF
class Rulecheck < Formula
  desc "Check what changed in a git repository against rules in markdown files"
  homepage "https://github.com/OWNER/rulecheck"
  version "$version"
  license "Apache-2.0"

  on_macos do
    on_arm do
$mac_arm
    end
    on_intel do
$mac_intel
    end
  end

  on_linux do
    on_arm do
$linux_arm
    end
    on_intel do
$linux_intel
    end
  end

  def install
    bin.install "rulecheck"
    man1.install "man/rulecheck.1"
    bash_completion.install "completions/rulecheck.bash" => "rulecheck"
    zsh_completion.install "completions/_rulecheck"
    fish_completion.install "completions/rulecheck.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/rulecheck version")
  end
end
EOF
