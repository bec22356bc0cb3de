package githook

import (
	"bytes"
	"strings"
)

// The hooks that rulecheck installs.
const (
	PreCommit = "pre-commit"
	CommitMsg = "commit-msg"
)

// Names returns the hooks that rulecheck installs, in the order git runs them.
func Names() []string { return []string{PreCommit, CommitMsg} }

// callOf maps each hook to the command it runs.
var callOf = map[string]string{
	PreCommit: `rulecheck --staged`,
	CommitMsg: `rulecheck --staged --message "$1"`,
}

const (
	marker       = "# Installed by rulecheck; "
	formerSuffix = ".before-rulecheck"
)

// script returns the text of a hook that runs the program at a path, or the one in
// PATH if there is none. Without any it fails, because a commit that was not checked
// must not look like a clean one.
func script(name, program string) []byte {
	return []byte(`#!/bin/sh
` + marker + `remove it with: rulecheck uninstall git
former=$0` + formerSuffix + `
if [ -x "$former" ]; then
	"$former" "$@" || exit
fi
rulecheck=` + quote(program) + `
if [ ! -x "$rulecheck" ] && ! rulecheck=$(command -v rulecheck); then
	echo "$0: rulecheck is neither at" ` + quote(program) + ` "nor in PATH, so nothing was checked."
	echo "Install it again, or skip it once with: git commit --no-verify"
	if [ -e "$former" ]; then
		echo "To remove the hook: mv '$former' '$0'"
	else
		echo "To remove the hook: rm '$0'"
	fi
	exit 1
fi >&2
exec "$rulecheck" ` + strings.TrimPrefix(callOf[name], "rulecheck ") + `
`)
}

// quote quotes text as one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// installed reports whether Install wrote a hook.
func installed(text []byte) bool { return bytes.Contains(text, []byte("\n"+marker)) }
