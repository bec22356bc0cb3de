package diff

import (
	"context"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// unknown explains a ref that names no commit.
func unknown(ctx context.Context, repo repository, ref string, cause error) error {
	e := &UnjudgeableError{Reason: "unknown revision " + strconv.Quote(ref), Err: cause}
	s, err := repo.settings(ctx)
	if err != nil {
		return err
	}
	e.Mend = fetch(repo.place(), s, ref)
	if e.Mend == "" && ref != "HEAD" {
		e.Mend = "git branch --all" // shows what there is
	}
	return e
}

// fetch is the command that is likely to bring ref here: a branch of a remote by
// its tracking name, any other branch by its own; empty where fetching cannot help.
func fetch(here *git.Repo, s *settings, ref string) string {
	deepen := ""
	if here.Shallow {
		deepen = " --unshallow"
	}
	// Not a branch's name, or not safe to paste into a shell.
	if ref == "" || ref[0] == '-' || strings.ContainsAny(ref, " ~^:?*[@\\'\"$;&|<>()`!#{}\n") {
		if deepen == "" {
			return ""
		}
		return "git fetch" + deepen
	}
	for _, name := range s.remotes {
		if of, ok := strings.CutPrefix(ref, name+"/"); ok {
			return "git fetch" + deepen + " " + name + " +" + of + ":refs/remotes/" + ref
		}
	}
	remote := s.remote(here.Branch)
	switch {
	case remote == "":
		return ""
	case git.IsObjectID(ref):
		return "git fetch " + remote + " " + ref
	}
	return "git fetch" + deepen + " " + remote + " " + ref + ":" + ref
}

// noDefault explains a search for the default branch that found nothing.
func noDefault(here *git.Repo, s *settings, remote string) error {
	if remote == "" {
		return &UnjudgeableError{
			Reason: "no default branch: none of the remotes " + strings.Join(s.remotes, ", ") +
				" is the branch's own or called origin, and there is no branch main or master",
			Mend: "rulecheck --since " + s.remotes[0] + "/main",
		}
	}
	return &UnjudgeableError{
		Reason: "no default branch: there is no " + remote + "/HEAD, " + remote + "/main, " + remote + "/master, main or master",
		Mend:   fetch(here, s, remote+"/main"),
	}
}

// unrelated explains a missing merge base.
func unrelated(here *git.Repo, ref string, cause error) error {
	if here.Shallow {
		return &UnjudgeableError{
			Reason: "no merge base with " + ref + ": the history of this shallow clone is too short",
			Mend:   "git fetch --unshallow",
			Err:    cause,
		}
	}
	return &UnjudgeableError{
		Reason: "no merge base with " + ref + ": the histories have no commit in common",
		Mend:   "rulecheck --from " + ref,
		Err:    cause,
	}
}
