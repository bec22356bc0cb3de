package diff

import (
	"context"
	"path/filepath"
	"strings"
)

// Hook is the text of a hook, as of Program.Hook.
func (e *embedded) Hook(_ context.Context, name string) ([]byte, error) {
	dir := filepath.Join(e.here.CommonDir, "hooks")
	if v, ok := e.config.last("core.hookspath"); ok {
		home, below := strings.CutPrefix(v.value, "~/")
		switch {
		case below && e.env["HOME"] != "":
			dir = filepath.Join(e.env["HOME"], home)
		case v.value == "" || v.value[0] == '~' || strings.HasPrefix(v.value, "%("):
			return nil, needsGit("a repository with the core.hooksPath " + v.value)
		case filepath.IsAbs(v.value):
			dir = v.value
		default:
			dir = filepath.Join(e.here.Root, v.value) // where git starts hooks
		}
	}
	return readHook(filepath.Join(dir, name))
}

// CommentMark is what begins a comment in a message, as of Program.CommentMark.
func (e *embedded) CommentMark(context.Context) (string, error) {
	mark := ""
	for _, v := range e.config {
		if v.key == "core.commentchar" || v.key == "core.commentstring" {
			mark = v.value
		}
	}
	return commentMark(mark), nil
}
