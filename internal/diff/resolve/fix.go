package resolve

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/shell"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// UnknownRevision returns the *diff.NoVerdictError for a ref that is not a commit, with a
// command that is likely to help.
func UnknownRevision(ctx context.Context, repo Repository, ref string, cause error) error {
	e := &diff.NoVerdictError{Reason: "unknown revision " + strconv.Quote(ref), Err: cause}
	if from, to, ok := strings.Cut(ref, ".."); ok && from != "" {
		to = cmp.Or(strings.TrimPrefix(to, "."), "HEAD")
		e.Reason = strconv.Quote(ref) + " is a range of commits"
		e.Fix = shell.Line("rulecheck", "--from", from, "--to", to)
		return e
	}
	s, err := repo.Settings(ctx)
	if err != nil {
		return err
	}
	if near := nearest(ctx, repo, ref); near != "" {
		e.Reason += "; did you mean " + strconv.Quote(near) + "?"
		return e
	}
	e.Fix = fetch(repo.Place(), s, ref)
	if e.Fix == "" && ref != "HEAD" {
		e.Fix = "git branch --all" // lists the existing names
	}
	return e
}

// nearest returns the branch whose name is most like a ref that does not exist; "" if none
// is. Refs that cannot be listed are no new problem.
func nearest(ctx context.Context, repo Repository, ref string) string {
	refs, err := repo.Refs(ctx, []string{"refs/heads/**", "refs/remotes/**", "refs/tags/**", "refs/heads/" + repo.Place().Branch})
	if err != nil {
		return ""
	}
	var names []string
	for name := range refs {
		names = append(names, ShortRef(name))
	}
	slices.Sort(names)
	return suggest.Nearest(ref, names)
}

// fetch returns the command that is likely to fetch ref: a branch of a remote by its
// tracking name, any other branch by its own; "" if fetching cannot help.
func fetch(place *git.Repo, s *Settings, ref string) shell.Command {
	var deepen shell.Command
	if place.Shallow {
		deepen = " --unshallow"
	}
	// Not the name of a branch, or not safe to paste into a shell.
	if ref == "" || ref[0] == '-' || strings.ContainsAny(ref, " ~^:?*[@\\'\"$;&|<>()`!#{}\n") {
		if deepen == "" {
			return ""
		}
		return "git fetch" + deepen
	}
	for _, name := range s.Remotes {
		if branch, ok := strings.CutPrefix(ref, name+"/"); ok {
			return "git fetch" + deepen + " " + shell.Line(name, "+"+branch+":refs/remotes/"+ref)
		}
	}
	remote := s.Remote(place.Branch)
	switch {
	case remote == "":
		return ""
	case git.IsObjectID(ref):
		return shell.Line("git", "fetch", remote, ref)
	}
	return "git fetch" + deepen + " " + shell.Line(remote, ref+":"+ref)
}

// noDefaultBranch explains a search for the default branch that found none.
func noDefaultBranch(place *git.Repo, s *Settings, remote string) error {
	if remote == "" {
		return &diff.NoVerdictError{
			Reason: "no default branch: none of the remotes " + strings.Join(s.Remotes, ", ") +
				" is the branch's own or called origin, and there is no branch main or master",
			Fix: shell.Line("rulecheck", "--since", s.Remotes[0]+"/main"),
		}
	}
	return &diff.NoVerdictError{
		Reason: "no default branch: there is no " + remote + "/HEAD, " + remote + "/main, " + remote + "/master, main or master",
		Fix:    fetch(place, s, remote+"/main"),
	}
}

// noUsualBranch explains a search for the default branch where no branch has a usual name.
// Others are the branches that HEAD is not on; the fix names the first of them.
func noUsualBranch(others []string) error {
	e := &diff.NoVerdictError{Reason: "no default branch: there is no remote, no branch main or master, and HEAD is on no branch"}
	if len(others) > 0 {
		e.Reason = "no default branch: there is no remote and no branch main or master; the others are " + shown(others) +
			"; set default_branch in .rulecheck/config.yml"
		e.Fix = shell.Line("rulecheck", "--since", ShortRef(others[0]))
	} else {
		e.Fix = "rulecheck --since REF"
	}
	return e
}

// shown lists some branches.
func shown(branches []string) string {
	const most = 3
	var names []string
	for _, b := range branches[:min(len(branches), most)] {
		names = append(names, ShortRef(b))
	}
	if len(branches) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// noMergeBase explains a missing merge base.
func noMergeBase(place *git.Repo, ref string) error {
	if place.Shallow {
		return &diff.NoVerdictError{
			Reason: "no merge base with " + ref + ": the history of this shallow clone is too short",
			Fix:    "git fetch --unshallow",
		}
	}
	return &diff.NoVerdictError{
		Reason: "no merge base with " + ref + ": the histories have no commit in common",
		Fix:    shell.Line("rulecheck", "--from", ref),
	}
}
