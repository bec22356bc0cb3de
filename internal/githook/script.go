package githook

import (
	"bytes"
	"strings"
)

// The hooks that are installed.
const (
	PreCommit = "pre-commit"
	CommitMsg = "commit-msg"
)

// Names are the hooks that are installed, in the order in which git runs them.
func Names() []string { return []string{PreCommit, CommitMsg} }

// callOf is what each hook runs.
var callOf = map[string]string{
	PreCommit: `rulecheck --staged`,
	CommitMsg: `rulecheck --staged --message "$1"`,
}

const (
	marker       = `# Installed by rulecheck; "rulecheck uninstall git" takes it away again.`
	formerSuffix = ".before-rulecheck"
)

// script is the text of a hook that runs the program at this path, or one in PATH
// where that is gone. Without any it fails: a commit that nobody looked at is not
// to pass for a clean one.
func script(name, program string) []byte {
	return []byte(`#!/bin/sh
` + marker + `
former=$0` + formerSuffix + `
if [ -x "$former" ]; then
	"$former" "$@" || exit
fi
rulecheck=` + quote(program) + `
if [ ! -x "$rulecheck" ] && ! rulecheck=$(command -v rulecheck); then
	echo "$0: rulecheck is neither at" ` + quote(program) + ` "nor in PATH, so nothing was judged."
	echo "Install it again, or pass by it once with: git commit --no-verify"
	if [ -e "$former" ]; then
		echo "To do without it: mv '$former' '$0'"
	else
		echo "To do without it: rm '$0'"
	fi
	exit 1
fi >&2
exec "$rulecheck" ` + strings.TrimPrefix(callOf[name], "rulecheck ") + `
`)
}

// quote makes one word of a shell of text.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// ours reports whether a hook is one that Install wrote.
func ours(text []byte) bool { return bytes.Contains(text, []byte("\n"+marker+"\n")) }
