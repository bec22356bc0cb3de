package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Key resolves the commits of a unit, and returns the digest of everything that its result
// depends on: the program's version, the arguments, and the commits, branches or files.
func (p *Process) Key(ctx context.Context, u Unit) (Unit, string, error) {
	ctx, stop := context.WithTimeout(ctx, p.Timeout)
	defer stop()
	parts := slices.Concat([]string{p.Version, u.ID}, p.Args, []string{""}, p.Deciding)
	var inputs []string
	var err error
	if u.Logs != "" {
		inputs, err = p.logInputs(ctx, u)
	} else {
		inputs, err = p.commits(ctx, &u)
	}
	return u, digest(append(parts, inputs...)), p.late(ctx, err)
}

// failedKey is the key of a unit whose inputs cannot be read.
func failedKey(u Unit, why string) string { return digest([]string{fmt.Sprintf("%q", u), why}) }

// commits sets the ids of the two commits to compare and of the one with the rules. It
// returns them with all branches: rules may compare with those.
func (p *Process) commits(ctx context.Context, u *Unit) ([]string, error) {
	repo, err := git.Open(ctx, git.Options{Dir: u.GitDir, Env: p.Env})
	if err != nil {
		return nil, err
	}
	if u.To == "" {
		u.To = repo.Head
	}
	if u.To, err = commit(ctx, repo, u.To); err != nil {
		return nil, err
	}
	if u.From == "" {
		u.From, err = firstParent(ctx, repo, u.To)
	} else {
		u.From, err = commit(ctx, repo, u.From)
	}
	if err != nil {
		return nil, err
	}
	if u.rulesFrom = p.RulesFrom; u.rulesFrom != "" && u.rulesFrom != rulesFromBase {
		if u.rulesFrom, err = commit(ctx, repo, u.rulesFrom); err != nil {
			return nil, err
		}
	}
	branches, err := repo.Run(ctx, "for-each-ref", "--format=%(objectname) %(refname) %(symref)", "refs/heads", "refs/remotes")
	return []string{u.From, u.To, u.rulesFrom, string(branches)}, err
}

// commit returns the id of a commit.
func commit(ctx context.Context, repo *git.Repo, ref string) (string, error) {
	if ref == "" {
		return "", errors.New("HEAD has no commit; want \"to\"")
	}
	if ref == repo.Head {
		return ref, nil
	}
	out, err := repo.Run(ctx, "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%q is no commit of this repository: %w", ref, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// firstParent returns the first parent of a commit; of the first commit the empty tree.
func firstParent(ctx context.Context, repo *git.Repo, of string) (string, error) {
	out, err := repo.Run(ctx, "rev-list", "--parents", "--max-count=1", of)
	if ids := strings.Fields(string(out)); err == nil && len(ids) > 1 {
		return ids[1], nil
	}
	if err == nil && repo.Shallow {
		err = fmt.Errorf("the first parent of %s is not in this shallow clone; want \"from\", or a whole clone", of)
	}
	return diff.EmptyTree(repo.ObjectFormat), err
}

// logInputs describes the logs of a unit and the rules for them.
func (p *Process) logInputs(ctx context.Context, u Unit) ([]string, error) {
	rules, err := p.rules(ctx)
	if err != nil {
		return nil, err
	}
	files, err := listing(ctx, u.Logs)
	return append(files, rules), err
}

// listing describes the files at and below a path by their names, sizes and times.
func listing(ctx context.Context, root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		files = append(files, fmt.Sprintf("%s %d %d", rel, info.Size(), info.ModTime().UnixNano()))
		return err
	})
	return files, err
}

// rules returns the digest of the files that decide about logs: those in the directories
// .rulecheck of Dir. It reads them once.
func (p *Process) rules(ctx context.Context) (string, error) {
	p.rulesOnce.Do(func() { p.rulesDigest, p.rulesErr = p.readRules(ctx) })
	return p.rulesDigest, p.rulesErr
}

func (p *Process) readRules(ctx context.Context) (string, error) {
	repo, err := git.Open(ctx, git.Options{Dir: p.Dir, Env: p.Env})
	if err != nil {
		return "", err
	}
	names, err := repo.Run(ctx, "ls-files", "-z", "--cached", "--others", "--full-name", "--", ":(top,glob)**/.rulecheck/**")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	files := strings.FieldsFunc(string(names), func(r rune) bool { return r == 0 })
	slices.Sort(files)
	for _, name := range slices.Compact(files) {
		if err := addFile(sum, repo.Root, name); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// addFile adds the name and the content of a file of a working tree to a digest.
func addFile(sum io.Writer, root, name string) error {
	path := filepath.Join(root, filepath.FromSlash(name))
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		_, err = fmt.Fprintf(sum, "%q\n", name) // deleted, or never read as a rule
		return err
	}
	if _, err := fmt.Fprintf(sum, "%q %d\n", name, info.Size()); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(sum, file)
	return errors.Join(err, file.Close())
}
