package resolve

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// Branch is a ref that a base is found by.
type Branch struct {
	Ref    string // short: main, origin/main
	Commit string
	Via    string // how it was found, if the name does not show it: origin/HEAD
}

func (b Branch) String() string {
	if b.Via == "" {
		return b.Ref
	}
	return b.Ref + " (" + b.Via + ")"
}

// defaultBranch finds the branch that changes are made for. It is HEAD if that is on the
// only branch and there is no remote. Of several branches none is guessed: HEAD as its own
// base has no changes, and nothing would be checked.
func defaultBranch(ctx context.Context, repo Repository, configured string, remoteOf remoteChoice) (Branch, error) {
	refs, err := repo.Refs(ctx, usualBranches("**")) // the remote's name is not known yet
	if err != nil {
		return Branch{}, err
	}
	if configured == "" && !anyRemote(refs) {
		for _, name := range usualBranches("") {
			if found, ok := refs[name]; ok {
				return found, nil // the configuration of remotes makes no difference
			}
			if err := lost(repo.Place(), name); err != nil {
				return Branch{}, err
			}
		}
	}
	s, err := repo.Settings(ctx)
	if err != nil {
		return Branch{}, err
	}
	remote, err := remoteOf(s, repo.Place().Branch)
	if err != nil {
		return Branch{}, err
	}
	candidates := usualBranches(remote)
	if configured != "" {
		candidates = configuredBranches(remote, configured)
	}
	if configured != "" {
		if refs, err = repo.Refs(ctx, candidates); err != nil {
			return Branch{}, err
		}
	}
	for _, name := range candidates {
		found, ok := refs[name]
		switch {
		case !ok:
			if err := lost(repo.Place(), name); err != nil {
				return Branch{}, err
			}
			continue
		case configured != "":
			found.Via = "default_branch"
		case strings.HasSuffix(name, "/HEAD"):
			found.Via = remote + "/HEAD"
		}
		return found, nil
	}
	if configured != "" {
		commit, err := repo.Commit(ctx, configured)
		return Branch{Ref: configured, Commit: commit, Via: "default_branch"}, err
	}
	return unusualBranch(ctx, repo, s, remote)
}

// unusualBranch finds the default branch where no branch has one of the usual names: that
// of init.defaultBranch, or the only one.
func unusualBranch(ctx context.Context, repo Repository, s *Settings, remote string) (Branch, error) {
	place := repo.Place()
	names := []string{"refs/heads/**"}
	if place.Branch != "" {
		names = append(names, "refs/heads/"+place.Branch)
	}
	branches, err := repo.Refs(ctx, names)
	if err != nil {
		return Branch{}, err
	}
	if found, ok := branches["refs/heads/"+s.InitialBranch]; ok {
		found.Via = "init.defaultBranch"
		return found, nil
	}
	_, onBranch := branches["refs/heads/"+place.Branch]
	switch {
	case len(s.Remotes) > 0:
		return Branch{}, noDefaultBranch(place, s, remote)
	case place.Head == "":
		return Branch{}, UnknownRevision(ctx, repo, "HEAD", nil)
	case len(branches) == 1 && onBranch:
		return Branch{Ref: "HEAD", Commit: place.Head, Via: "the only branch"}, nil
	}
	delete(branches, "refs/heads/"+place.Branch)
	return Branch{}, noUsualBranch(slices.Sorted(maps.Keys(branches)))
}

// usualBranches lists the refs that may be the default branch, the first choice first.
func usualBranches(remote string) []string {
	local := []string{"refs/heads/main", "refs/heads/master"}
	if remote == "" {
		return local
	}
	tracking := "refs/remotes/" + remote
	return append([]string{tracking + "/HEAD", tracking + "/main", tracking + "/master"}, local...)
}

func anyRemote(refs map[string]Branch) bool {
	for name := range refs {
		if strings.HasPrefix(name, "refs/remotes/") {
			return true
		}
	}
	return false
}

// configuredBranches prefers the remote's branch, as the search without a configured name
// does: a local branch may be behind.
func configuredBranches(remote, name string) []string {
	if strings.HasPrefix(name, "refs/") {
		return []string{name}
	}
	local := []string{"refs/heads/" + name, "refs/remotes/" + name}
	if remote == "" {
		return local
	}
	return append([]string{"refs/remotes/" + remote + "/" + name}, local...)
}

// ShortRef removes the prefix of a full ref name that git supplies by itself.
func ShortRef(ref string) string {
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return name
		}
	}
	return ref
}
