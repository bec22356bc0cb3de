package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff/resolve"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// repository looks up refs, commits and configuration for the search for a base.
type repository struct{ *Engine }

func (r repository) Place() *git.Repo { return r.repo }

// Commit resolves a revision, in any form that git accepts, to a commit id.
func (r repository) Commit(ctx context.Context, ref string) (string, error) {
	if ref == "HEAD" && r.repo.Head != "" {
		return r.repo.Head, nil
	}
	out, err := r.repo.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	// A ref such as ^main is an exclusion, and git prints one.
	if exited(err, 1, 128) || bytes.HasPrefix(out, []byte("^")) {
		return "", resolve.UnknownRevision(ctx, r, ref, err)
	}
	commit := strings.TrimSpace(string(out))
	if err == nil && !git.IsObjectID(commit) {
		err = noAnswer("rev-parse")
	}
	return commit, err
}

// Refs looks up full names. A name that does not resolve, such as a HEAD whose branch was
// deleted, is left out.
func (r repository) Refs(ctx context.Context, names []string) (map[string]resolve.Branch, error) {
	format := "--format=%(refname) %(objecttype) %(objectname) %(symref)"
	args := append([]string{"for-each-ref", format}, names...)
	current := "refs/heads/" + r.repo.Branch
	known := r.repo.Branch != "" && r.repo.Head != "" // it exists, so git must list it
	if known {
		args = append(args, current)
	}
	out, err := r.repo.Run(ctx, args...)
	if err != nil {
		return nil, err
	}
	refs := map[string]resolve.Branch{}
	defer func() {
		if !slices.Contains(names, current) {
			delete(refs, current)
		}
	}()
	for line := range strings.Lines(string(out)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(field) != 4 || field[1] != "commit" {
			continue
		}
		target := field[0]
		if field[3] != "" {
			target = field[3]
		}
		refs[field[0]] = resolve.Branch{Ref: resolve.ShortRef(target), Commit: field[2]}
	}
	if _, listed := refs[current]; known && !listed {
		return nil, noAnswer("for-each-ref")
	}
	return refs, nil
}

// MergeBases lists all merge bases; git lists first the one it would print alone.
func (r repository) MergeBases(ctx context.Context, commit string, sides []string) ([]string, error) {
	out, err := r.repo.Run(ctx, append([]string{"merge-base", "--all", "--end-of-options", commit}, sides...)...)
	if exited(err, 1) {
		return nil, nil // no common commit
	}
	bases := strings.Fields(string(out))
	whole := len(bases) > 0 && !slices.ContainsFunc(bases, func(name string) bool { return !git.IsObjectID(name) })
	if err == nil && !whole {
		err = noAnswer("merge-base")
	}
	return bases, err
}

// MergeHeads lists the commits that are being merged. No git command prints all of them.
func (r repository) MergeHeads() ([]string, error) {
	text, err := regular.ReadFile(filepath.Join(r.repo.GitDir, "MERGE_HEAD"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}

// Settings reads git's configuration once, in one process.
func (r repository) Settings(ctx context.Context) (*resolve.Settings, error) {
	r.settingsMutex.Lock()
	defer r.settingsMutex.Unlock()
	if r.settings != nil {
		return r.settings, nil
	}
	out, err := r.repo.Run(ctx, "config", "-z", "--get-regexp", `^(core\.filemode|init\.defaultbranch|branch\..*\.(remote|merge)|remote\..*\.(url|fetch)|filter\..*\.(clean|process))$`)
	if err == nil && len(out) == 0 {
		err = noAnswer("config --get-regexp")
	}
	if err != nil && !exited(err, 1) { // 1: nothing is configured
		return nil, err
	}
	r.settings = parseSettings(out)
	return r.settings, nil
}

// parseSettings parses key, line feed, value, NUL. A key without a value means true and has
// no line feed.
func parseSettings(out []byte) *resolve.Settings {
	s := &resolve.Settings{FileMode: true, RemoteOf: map[string]string{}, MergeOf: map[string]string{}, URLs: map[string][]string{}, Fetches: map[string][]string{}}
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, value, valued := strings.Cut(string(entry), "\n")
		section, rest, _ := strings.Cut(key, ".")
		dot := strings.LastIndexByte(rest, '.')
		switch {
		case key == "core.filemode":
			s.FileMode = !valued || !slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value))
		case section == "filter":
			lfs := rest[:max(dot, 0)] == "lfs"
			s.LFS, s.Filters = s.LFS || lfs, s.Filters || !lfs
		case key == "init.defaultbranch":
			s.InitialBranch = value
		case section == "branch" && dot > 0 && rest[dot:] == ".merge":
			s.MergeOf[rest[:dot]] = value
		case section == "branch" && dot > 0:
			s.RemoteOf[rest[:dot]] = value
		case section == "remote" && dot > 0:
			s.Remotes = append(s.Remotes, rest[:dot])
			if rest[dot:] == ".url" {
				s.URLs[rest[:dot]] = append(s.URLs[rest[:dot]], value)
			} else {
				s.Fetches[rest[:dot]] = append(s.Fetches[rest[:dot]], value)
			}
		}
	}
	slices.Sort(s.Remotes)
	s.Remotes = slices.Compact(s.Remotes)
	return s
}

// exited reports whether err is a git process that ended with one of statuses.
func exited(err error, statuses ...int) bool {
	failed := (*git.Error)(nil)
	return errors.As(err, &failed) && slices.Contains(statuses, failed.Status)
}

// noAnswer returns the error of a git that succeeded and did not print a whole answer: it is
// not git, or its output was lost.
func noAnswer(command string) error {
	return fmt.Errorf("git %s: no whole answer; check that \"git\" on PATH is git", command)
}
