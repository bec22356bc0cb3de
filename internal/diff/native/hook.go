package native

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
)

// Hook returns the text of the hook that git runs under a name, or nil.
func (e *Engine) Hook(_ context.Context, name string) ([]byte, error) {
	dir := filepath.Join(e.place.CommonDir, "hooks")
	if v, ok := e.config.Last("core.hookspath"); ok {
		home, below := strings.CutPrefix(v.Value, "~/")
		switch {
		case below && e.env["HOME"] != "":
			dir = filepath.Join(e.env["HOME"], home)
		case v.Value == "" || v.Value[0] == '~' || strings.HasPrefix(v.Value, "%("):
			return nil, diff.NeedsGit("a repository with the core.hooksPath " + v.Value)
		case filepath.IsAbs(v.Value):
			dir = v.Value
		default:
			dir = filepath.Join(e.place.Root, v.Value) // where git starts hooks
		}
	}
	return read.Hook(filepath.Join(dir, name))
}

// CommentMark returns the prefix of comments in commit messages that are being edited.
func (e *Engine) CommentMark(context.Context) (string, error) {
	mark := ""
	for _, v := range e.config {
		if v.Key == "core.commentchar" || v.Key == "core.commentstring" {
			mark = v.Value
		}
	}
	return cmp.Or(mark, "#"), nil
}
