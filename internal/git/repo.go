// Package git runs the git program in the user's own repository. It is the only
// package that starts git, so its environment rules hold everywhere: nothing of
// the user's is written, nothing is fetched unasked, and what a hook inherits,
// such as GIT_INDEX_FILE, keeps its meaning.
package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/lazy"
)

// Options say where git runs and with what. The zero value runs in the process's
// directory with an empty environment.
type Options struct {
	// Dir is where git starts; empty: the process's directory. It is not changed
	// to the top of the working tree, because relative paths in GIT_DIR and
	// GIT_INDEX_FILE would lose their meaning.
	Dir string
	// Env is the environment as KEY=value, normally the process's own.
	Env []string
	// Trace gets one line for each process, before it starts; nil: silence.
	Trace io.Writer
	// LazyFetch lets a partial clone fetch objects it lacks.
	LazyFetch bool
	// Since is a revision whose merge bases with HEAD will be wanted; empty: none.
	Since string
}

// Repo is a repository git has agreed to work in, as it was when opened.
type Repo struct {
	Root         string // absolute top of the working tree, symlinks resolved; empty when there is none
	GitDir       string // absolute; a linked working tree has its own
	CommonDir    string // absolute; shared by all linked working trees
	IndexFile    string // absolute; the file need not exist; GIT_INDEX_FILE is honoured
	ObjectFormat string // sha1 or sha256
	Bare         bool   // no working tree here
	Shallow      bool   // history is cut off
	Head         string // the commit HEAD names; empty while it has none
	Branch       string // checked out, without refs/heads/; empty when detached

	// Bases are the merge bases of Options.Since and HEAD, git's first one first. Where
	// there are none, nothing is said of why.
	Bases []string

	*Runner
}

// Runner runs the git program with the same options every time.
type Runner struct {
	options Options
	env     []string
	tracing sync.Mutex
}

// New gives a runner. That there is a git program shows when it runs.
func New(o Options) *Runner { return &Runner{options: o, env: environ(o)} }

// Since is that of the options.
func (r *Runner) Since() string { return r.options.Since }

// Present reports whether there is a git program.
func Present() bool { _, err := exec.LookPath("git"); return err == nil }

// MayHaveRemotes guesses, before git has said where the repository is, whether it
// has remotes. Where there is no configuration to look at, it may.
func (r *Runner) MayHaveRemotes() bool {
	config, err := os.ReadFile(filepath.Join(r.options.Dir, ".git", "config"))
	return err != nil || bytes.Contains(config, []byte("[remote"))
}

// Open is New(o).Begin(ctx)().
func Open(ctx context.Context, o Options) (*Repo, error) { return New(o).Begin(ctx)() }

// Begin asks git, in one process, about the repository around its directory, and
// gives a function that waits for the answer. It fails with an *Error where there
// is no git program or an older one than 2.31, no repository, or one that git does
// not trust because another user owns it.
func (r *Runner) Begin(ctx context.Context) (wait func() (*Repo, error)) {
	args := placeArgs(r.options.Since)
	answer := r.Start(ctx, Call{Args: args})
	return func() (*Repo, error) {
		res, err := answer()
		repo := &Repo{Runner: r}
		if err := repo.locate(ctx, args, res, err); err != nil {
			return nil, err
		}
		return repo, nil
	}
}

// placeArgs ask where everything is, what HEAD is, and for what a plain name is the
// name of, its merge bases with HEAD.
func placeArgs(since string) []string {
	args := []string{
		"rev-parse", "--path-format=absolute", "--is-bare-repository", "--is-shallow-repository", "--show-object-format",
		"--git-dir", "--git-common-dir", "--git-path", "index",
		// From here on lines may be missing: without a working tree all, while HEAD is unborn all but the
		// first, and for what is no revision the last.
		"--show-toplevel", "--revs-only", "HEAD", "--symbolic-full-name", "HEAD",
	}
	if plain(since) {
		args = append(args, since+"...HEAD")
	}
	return args
}

var plainRevision = lazy.Regexp(`^[A-Za-z0-9_/](?:[A-Za-z0-9_/.~^-]*[A-Za-z0-9_/~^-])?$`)

// plain reports whether a revision means the same with more behind it.
func plain(revision string) bool {
	return plainRevision().MatchString(revision) && !strings.Contains(revision, "..")
}

// locate takes where everything is, and what HEAD is.
func (r *Repo) locate(ctx context.Context, args []string, res Result, err error) error {
	lines := strings.Split(strings.TrimSuffix(string(res.Stdout), "\n"), "\n")
	const fixed = 6
	failed := (*Error)(nil)
	if errors.As(err, &failed) && !strings.Contains(failed.Stderr, "must be run in a work tree") {
		return failed.advised()
	}
	if len(lines) > fixed+3 && plain(r.options.Since) && IsObjectID(lines[fixed+1]) {
		for _, line := range lines[fixed+3:] {
			if base, ok := strings.CutPrefix(line, "^"); ok {
				r.Bases = append(r.Bases, base)
			}
		}
		lines = lines[:fixed+3]
	}
	if len(lines) != fixed && len(lines) != fixed+1 && len(lines) != fixed+3 {
		return &Error{Args: args, Err: errors.New("the repository's path has a line break"), Next: "move the repository"}
	}
	r.Shallow = lines[1] == "true"
	r.ObjectFormat, r.GitDir, r.CommonDir, r.IndexFile = lines[2], lines[3], lines[4], lines[5]
	if rest := lines[fixed:]; len(rest) > 0 {
		r.Root = rest[0]
		return r.setHead(ctx, rest[1:])
	}
	r.Bare = true
	out, err := r.Run(ctx, "rev-parse", "--revs-only", "HEAD", "--symbolic-full-name", "HEAD")
	if err != nil {
		return err
	}
	return r.setHead(ctx, strings.Fields(string(out)))
}

// setHead takes commit and full name of HEAD, or nothing while it is unborn.
func (r *Repo) setHead(ctx context.Context, lines []string) error {
	var full string
	if len(lines) == 2 {
		r.Head, full = lines[0], lines[1]
	} else {
		out, err := r.Run(ctx, "symbolic-ref", "HEAD")
		if err != nil {
			return err
		}
		full = strings.TrimSpace(string(out))
	}
	if name, ok := strings.CutPrefix(full, "refs/heads/"); ok {
		r.Branch = name
	}
	return nil
}
