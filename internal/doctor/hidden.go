package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/report"
)

// hidden reports settings of the repository with which git shows something else than what is on
// disk or will be pushed. A check sees through all of them.
func (e *examination) hidden(ctx context.Context) error {
	if e.Program == nil {
		return nil
	}
	if !e.Program.Bare {
		if err := e.marks(ctx); err != nil {
			return err
		}
	}
	out, err := e.Program.Run(ctx, "config", "--default=", "core.worktree")
	if err != nil {
		return err
	}
	if place := strings.TrimSpace(string(out)); place != "" {
		e.report("core.worktree", Warn, "the working tree is elsewhere: "+finding.Visible(place), "if that is not intended, run: git config --unset core.worktree")
	}
	replaced, err := gitfile.HasRefs(e.Program.CommonDir, "refs/replace")
	if err != nil {
		return err
	}
	if replaced {
		if out, err = e.Program.Run(ctx, "for-each-ref", "--format=%(refname)", "refs/replace/"); err != nil {
			return err
		}
		if n := len(strings.Fields(string(out))); n > 0 {
			e.report("replace refs", Warn, report.Count(n, "object")+" replaced in the commands of git; a check ignores that", "see: git replace --list")
		}
	}
	if grafts, err := gitfile.NotEmpty(filepath.Join(e.Program.CommonDir, "info", "grafts")); err != nil || grafts {
		if err != nil {
			return err
		}
		e.report("grafts", Warn, "info/grafts changes the history in the commands of git; a check ignores that", "remove the file, or see: git help replace")
	}
	return nil
}

// marks reports the entries of the index that keep git from looking at files on disk.
func (e *examination) marks(ctx context.Context) error {
	res, err := e.Program.Do(ctx, git.Call{Args: []string{"ls-files", "-v", "-z", "--full-name", "--", ":/"}})
	if err != nil {
		return err
	}
	var assumed, skipped []string
	for line := range strings.SplitSeq(string(res.Stdout), "\x00") {
		tag, name, _ := strings.Cut(line, " ")
		if tag != "" && tag == strings.ToLower(tag) {
			assumed = append(assumed, name)
		}
		if strings.EqualFold(tag, "s") {
			if _, err := os.Lstat(filepath.Join(e.Program.Root, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
				skipped = append(skipped, name)
			}
		}
	}
	if len(assumed) > 0 {
		e.report("assume-unchanged", Warn, "git status does not show changes of "+finding.ShortPathList(assumed), "git update-index --no-assume-unchanged FILE")
	}
	if len(skipped) > 0 {
		e.report("skip-worktree", Warn, "git status does not show changes of "+finding.ShortPathList(skipped), "git update-index --no-skip-worktree FILE")
	}
	return nil
}
