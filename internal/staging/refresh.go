package staging

import (
	"context"
	"os"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// refresh has the index know the times of the files that were replaced, so that
// no git takes them for modified before it has read them. Entries stay what they
// are; where it does not succeed, git finds out by itself.
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
	_ = os.Remove(s.newIndex()) // it is in place, unless it had to be copied there
	if err := s.copyIndex(); err != nil {
		return
	}
	call := git.Call{
		Args:  []string{"-c", "core.hooksPath=/dev/null", "add", "--refresh", "--pathspec-from-file=-", "--pathspec-file-nul"},
		Stdin: strings.NewReader(names.String()), Env: []string{"GIT_INDEX_FILE=" + s.newIndex()},
	}
	if _, err := s.repo.Do(ctx, call); err != nil || s.settleIndex() != nil {
		return
	}
	_ = s.replaceIndex()
	step("index refreshed")
}
