package bash

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestWrappers walks the table of programs that run others: each reaches the command
// behind its options and operands.
func TestWrappers(t *testing.T) {
	w := World{Root: "/w/repo", Home: "/home/dev"}
	seen := map[string]bool{}
	for _, row := range wrappers {
		for _, name := range row.Names {
			line := name
			if row.Sub != "" {
				line += " " + strings.Fields(row.Sub)[0]
			}
			if seen[line] {
				t.Errorf("%s is in the table twice", line)
			}
			seen[line] = true
			if isContainer(name) && row.Remote != "" {
				line += " -v .:/w" // or else it does not see the files
			}
			line += strings.Repeat(" 1", row.Skip)
			if row.Optional || name == "hyperfine" {
				continue // hyperfine takes each operand for a command
			}
			l := Read(line+" git push -f", w)
			if !slices.ContainsFunc(l.Commands, func(c fact.ShellCommand) bool { return c.Normal == "git push --force --" }) {
				t.Errorf("%s git push -f: reaches %v; want git push", line, l.Commands)
			}
			if opaque := len(l.Opaque) > 0; opaque != (row.Remote != "") {
				t.Errorf("%s: opaque %v; want as its row has it", line, l.Opaque)
			}
		}
		for option := range strings.FieldsSeq(row.Text) {
			text := "--" + option
			if len(option) == 1 {
				text = "-" + option
			}
			sub, _, _ := strings.Cut(row.Sub, " ")
			line := row.Names[0] + " " + sub + " " + text + " 'git push -f'"
			l := Read(strings.Join(strings.Fields(line), " "), w)
			if !slices.ContainsFunc(l.Commands, func(c fact.ShellCommand) bool { return c.Normal == "git push --force --" }) {
				t.Errorf("%s: reaches %v; want git push", line, l.Commands)
			}
		}
	}
}

// TestWriters walks the table of programs that write files.
func TestWriters(t *testing.T) {
	w := World{Root: "/w/repo", Home: "/home/dev"}
	seen := map[string]bool{}
	for _, row := range writers {
		for _, name := range row.Names {
			if seen[name] {
				t.Errorf("%s is in the table twice", name)
			}
			seen[name] = true
			if row.Operands != none {
				line := name
				if row.Only != "" {
					option := strings.Fields(row.Only)[0]
					line += " " + strings.Repeat("-", min(2, len(option))) + option
				}
				line += strings.Repeat(" 1", row.Skip)
				if row.Operands != all && row.Operands != first || name == "sed" || name == "gsed" {
					line += " first"
				}
				l := Read(line+" target", w)
				if !slices.ContainsFunc(l.Writes, func(w fact.ShellWrite) bool { return w.Path == "target" }) {
					t.Errorf("%s target: writes %v; want target", line, l.Writes)
				}
			}
			for option := range strings.FieldsSeq(row.Out) {
				text := " --" + option + "=target"
				if len(option) == 1 {
					text = " -" + option + " target"
				}
				l := Read(name+text, w)
				if !slices.ContainsFunc(l.Writes, func(w fact.ShellWrite) bool { return w.Path == "target" }) && row.Unless == "" {
					t.Errorf("%s%s: writes %v; want target", name, text, l.Writes)
				}
			}
		}
	}
}

// TestLanguages walks the table of interpreters: a program that is not plain is
// opaque.
func TestLanguages(t *testing.T) {
	w := World{Root: "/w/repo"}
	for _, row := range languages {
		for _, name := range row.Names {
			for option := range strings.FieldsSeq(row.Text) {
				for _, c := range option {
					text := " -" + string(c)
					if len(option) > 2 {
						text = " --" + option
					}
					l := Read(name+text+` 'x("!rm"); system("rm")'`, w)
					if len(l.Opaque) == 0 && name != "deno" && option != "x" {
						t.Errorf("%s%s: a program is not opaque", name, text)
					}
				}
			}
		}
	}
}
