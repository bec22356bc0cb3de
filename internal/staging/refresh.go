package staging

import (
	"context"
	"os"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// refresh updates the file times in the index, so that git need not read the
// replaced files to see that they are unmodified. It may fail without harm.
func (s *staging) refresh(ctx context.Context) {
	var names strings.Builder
	for _, f := range s.files {
		if f.new != nil && f.Worktree == Replaced {
			names.WriteString(":(top,literal)" + f.Path + "\x00")
		}
	}
	if names.Len() == 0 {
		return
	}
	_ = os.Remove(s.newIndex()) // exists only if it was copied into place
	if err := s.copyIndex(); err != nil {
		return
	}
	call := git.Call{
		Args:  []string{"-c", "core.hooksPath=/dev/null", "add", "--refresh", "--pathspec-from-file=-", "--pathspec-file-nul"},
		Stdin: strings.NewReader(names.String()), Env: []string{"GIT_INDEX_FILE=" + s.newIndex()},
	}
	if _, err := s.repo.Do(ctx, call); err != nil || s.syncIndex() != nil {
		return
	}
	_ = s.replaceIndex()
	step("index refreshed")
}
