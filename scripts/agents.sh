#!/bin/sh
# Installs coding agents from npm, in the versions that docs/agents.md names, and prints
# their directory. Their installation scripts do not run. Fails without npm.
# Usage: agents.sh
set -eu
codex=0.169.0
opencode=1.18.33
gemini=0.61.0
qwen=0.24.4

command -v npm >/dev/null || {
	echo 'agents: npm is not installed' >&2
	exit 1
}
case $(uname -sm) in
'Linux x86_64') platform=linux-x64 ;;
'Linux aarch64') platform=linux-arm64 ;;
*)
	echo "agents: $(uname -sm) has no network namespaces, or no packages; want Linux" >&2
	exit 1
	;;
esac
root=${XDG_CACHE_HOME:-$HOME/.cache}/rulecheck/agents

# install NAME VERSION PACKAGE [OPTION]
install() {
	name=$1
	dir=$root/$1-$2
	shift 2
	if [ ! -e "$dir/installed" ]; then
		npm install --silent --no-audit --no-fund --ignore-scripts --save-exact --prefix "$dir" "$@" >&2
		touch "$dir/installed"
	fi
	ln -sfn "$dir" "$root/$name"
}

# The packages of the platform hold the programs; those of all platforms only start them.
install codex "$codex" "@openai/codex@$codex-$platform"
install opencode "$opencode" "opencode-$platform@$opencode"
install gemini "$gemini" "@google/gemini-cli@$gemini" --omit=optional
install qwen "$qwen" "@qwen-code/qwen-code@$qwen" --omit=optional
# OpenCode installs this into each of its directories before it loads a plugin.
install plugin "$opencode" "@opencode-ai/plugin@$opencode"
echo "$root"
