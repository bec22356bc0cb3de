package commands_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Copies are made in memory where they are small and consist of links. The
// directory in memory does not exist here, so that it shows where it was wanted.
func TestSmallCopiesAreMadeInMemory(t *testing.T) {
	if commands.ABI() < 3 {
		t.Skip("this kernel cannot confine commands")
	}
	fails := func(t *testing.T, change func(*project)) bool {
		t.Helper()
		w := newProject(t, map[string]string{"f": "x\n"})
		w.options.Fast = filepath.Join(w.temp, "none")
		change(w)
		_, err := commands.Run(t.Context(), []commands.Job{w.job("r", "true", "{file}")}, w.options)
		return err != nil
	}
	for _, tc := range []struct {
		name   string
		change func(*project)
		want   bool
	}{
		{"small", func(*project) {}, true},
		{"no such directory is given", func(w *project) { w.options.Fast = "" }, false},
		{"large", func(w *project) { w.options.Tree.Files[0].Content = []byte(strings.Repeat("x", 33<<20)) }, false},
		{"not confined", func(w *project) { w.options.Sandbox = rule.SandboxOff }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := fails(t, tc.change); got != tc.want {
				t.Errorf("asked for a copy in memory: %v; want %v", got, tc.want)
			}
		})
	}
	t.Run("an old kernel", func(t *testing.T) {
		commands.PretendABI(t, 1)
		if fails(t, func(*project) {}) {
			t.Error("asked for a copy in memory; want none")
		}
	})
}
