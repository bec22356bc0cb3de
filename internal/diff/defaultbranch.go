package diff

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// repository is what the search for a base asks, whoever reads the repository.
type repository interface {
	place() *git.Repo // where things are, and what HEAD is
	emptyTree() string
	settings(ctx context.Context) (*settings, error)
	commit(ctx context.Context, ref string) (string, error)
	refs(ctx context.Context, names []string) (map[string]branch, error)
	// mergeBases lists all of them, of one commit, by id or ref, with any of sides.
	mergeBases(ctx context.Context, commit string, sides []string) ([]string, error)
}

// branch is a ref that serves to find a base.
type branch struct {
	ref    string // short: main, origin/main
	commit string
	how    string // what led to it, where the name does not say: origin/HEAD
}

func (b branch) String() string {
	if b.how == "" {
		return b.ref
	}
	return b.ref + " (" + b.how + ")"
}

// defaultBranch finds the branch changes are made for. Where there is neither a
// remote nor a branch with one of the usual names, it is HEAD.
func defaultBranch(ctx context.Context, repo repository, configured string) (branch, error) {
	refs, err := repo.refs(ctx, usualBranches("*")) // the remote's name is not known yet
	if err != nil {
		return branch{}, err
	}
	if tracks, err := hasRefs(repo.place().CommonDir, "refs/remotes"); err == nil && !tracks && configured == "" {
		for _, name := range usualBranches("") {
			if found, ok := refs[name]; ok {
				return found, nil // which remotes there are makes no difference
			}
		}
	}
	s, err := repo.settings(ctx)
	if err != nil {
		return branch{}, err
	}
	remote := s.remote(repo.place().Branch)
	candidates := usualBranches(remote)
	if configured != "" {
		candidates = configuredBranches(remote, configured)
	}
	if configured != "" || strings.Contains(remote, "/") { // a "*" stops at a slash
		if refs, err = repo.refs(ctx, candidates); err != nil {
			return branch{}, err
		}
	}
	for _, name := range candidates {
		found, ok := refs[name]
		switch {
		case !ok:
			continue
		case configured != "":
			found.how = "default_branch"
		case strings.HasSuffix(name, "/HEAD"):
			found.how = remote + "/HEAD"
		}
		return found, nil
	}
	switch {
	case configured != "":
		commit, err := repo.commit(ctx, configured)
		return branch{ref: configured, commit: commit, how: "default_branch"}, err
	case len(s.remotes) == 0 && repo.place().Head == "":
		return branch{}, unknown(ctx, repo, "HEAD", nil)
	case len(s.remotes) == 0:
		return branch{ref: "HEAD", commit: repo.place().Head, how: "no remote, no branch main or master"}, nil
	}
	return branch{}, noDefault(repo.place(), s, remote)
}

func usualBranches(remote string) []string {
	local := []string{"refs/heads/main", "refs/heads/master"}
	if remote == "" {
		return local
	}
	tracking := "refs/remotes/" + remote
	return append([]string{tracking + "/HEAD", tracking + "/main", tracking + "/master"}, local...)
}

// configuredBranches prefers what the remote has, as the search without a
// configured name does: a local branch may be behind.
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

// refs looks full names up, where they are files without a process. A name that
// does not resolve, such as a HEAD whose branch is gone, is absent.
func (p *Program) refs(ctx context.Context, names []string) (map[string]branch, error) {
	if refs, ok := p.readRefs(names); ok {
		return refs, nil
	}
	return refsOf(p.repo.Do(ctx, refsCall(names)))
}

// readablePacked is how much of packed refs is read here. Among more, git finds a
// name in less time than it takes to read them.
const readablePacked = 256 << 10 // bytes

// readRefs reads refs from their files; ok is false where git knows better what they
// are: where they are no files, or the system takes different names for the same.
func (p *Program) readRefs(names []string) (refs map[string]branch, ok bool) {
	tables, err := filled(filepath.Join(p.repo.CommonDir, "reftable"))
	packed, missing := os.Stat(filepath.Join(p.repo.CommonDir, "packed-refs"))
	if runtime.GOOS != "linux" || p.repo.ObjectFormat != "sha1" || tables || err != nil ||
		missing == nil && packed.Size() > readablePacked {
		return nil, false
	}
	// What bears the name of a branch is a commit; git says so if not.
	refs, err = refFilesOf(p.repo).branches(names, func(id) (bool, error) { return true, nil })
	return refs, err == nil
}

func refsCall(names []string) git.Call {
	format := "--format=%(refname) %(objecttype) %(objectname) %(symref)"
	return git.Call{Args: append([]string{"for-each-ref", format}, names...)}
}

func refsOf(res git.Result, err error) (map[string]branch, error) {
	if err != nil {
		return nil, err
	}
	refs := map[string]branch{}
	for line := range strings.Lines(string(res.Stdout)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(field) != 4 || field[1] != "commit" {
			continue
		}
		target := field[0]
		if field[3] != "" {
			target = field[3]
		}
		refs[field[0]] = branch{ref: short(target), commit: field[2]}
	}
	return refs, nil
}

// short drops what git would supply by itself.
func short(ref string) string {
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return name
		}
	}
	return ref
}
