package bash

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// patchers are the names under which Codex gives its program apply_patch to its shell.
var patchers = []string{"apply_patch", "applypatch"}

// Patched returns the files that a patch names, in the form of apply_patch or of diff.
func Patched(patch string) []string {
	var files []string
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line)
		for _, verb := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "--- a/", "+++ b/"} {
			if file, ok := strings.CutPrefix(line, verb); ok {
				files = append(files, strings.TrimSpace(file))
			}
		}
	}
	return files
}

// applyPatch reads the files of a patch, which is an operand or the input.
func (r *reader) applyPatch(st *state, name string, argv []string) {
	r.recordKnown(st, name, argv)
	in := cmpInput(st.in)
	if len(argv) > 1 {
		in = &input{text: argv[1], known: true}
	}
	files := Patched(in.text)
	for _, file := range files {
		r.write(st, name, file, change{})
	}
	if !in.known || isUnknown(in.text) && !slices.ContainsFunc(files, isUnknown) || len(files) == 0 {
		r.opaque(fact.OpaquePath, "the patch is not in the line", strings.Join(argv, " "))
	}
}

// waits reports a program that reads from its input what it is to do. The agent may write
// that later, and its hooks do not show it.
func (r *reader) waits(name, what string) {
	r.opaque(fact.OpaqueCommand, name+" waits for "+what+" that the line does not have", name)
}
