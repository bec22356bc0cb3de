// Package git runs the git program in the user's repository. No other package
// starts git, so its environment rules apply everywhere: git takes no optional
// locks, fetches nothing unless asked, and uses variables that a hook inherits, such
// as GIT_INDEX_FILE.
//
// [Open] finds the repository of a directory, [Repo.Run] returns what a command prints, and
// [Repo.Do] does more: other indexes, input, output as a stream. A command that fails is an
// [*Error] with what git printed. The processes end with the context.
package git

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
)

// Options controls where and how git runs. The zero value runs it in the process's
// directory with an empty environment.
type Options struct {
	// Dir is the directory in which git runs; empty: the process's directory. Git
	// does not run at the root of the working tree, because GIT_DIR and
	// GIT_INDEX_FILE may be relative paths.
	Dir string
	// Env is the environment as KEY=value, normally that of the process.
	Env []string
	// Trace gets one line for each process before it starts; may be nil.
	Trace io.Writer
	// LazyFetch lets a partial clone fetch missing objects.
	LazyFetch bool
	// Group ends what a git process started with it; it cannot ask at the terminal then.
	Group bool
}

// Repo is a repository as it was when opened.
type Repo struct {
	Root         string // absolute top of the working tree, symlinks resolved; empty: there is none
	GitDir       string // absolute; a linked working tree has its own
	CommonDir    string // absolute; shared by all linked working trees
	IndexFile    string // absolute; may not exist; respects GIT_INDEX_FILE
	ObjectFormat string // sha1 or sha256
	Bare         bool   // there is no working tree
	Shallow      bool   // history is incomplete
	Head         string // commit of HEAD; empty: unborn
	Branch       string // checked out, without refs/heads/; empty: detached

	*runner
}

// runner runs git with the same options every time.
type runner struct {
	options Options
	env     []string
	tracing sync.Mutex
}

// Open asks git about the repository around a directory. It fails with an *Error
// if there is no git program or one older than 2.31, if there is no repository, or
// if git does not trust it because another user owns it.
func Open(ctx context.Context, o Options) (*Repo, error) {
	repo := &Repo{runner: &runner{options: o, env: environ(o)}}
	res, err := repo.Do(ctx, Call{Args: slices.Concat(explicitBare, openArgs)})
	if dir, refused := refusedBare(err); refused {
		if err := repo.checkBare(ctx, within(o.Dir, dir)); err != nil {
			return nil, err
		}
		res, err = repo.Do(ctx, Call{Args: openArgs})
	}
	if err := repo.read(ctx, res, err); err != nil {
		return nil, err
	}
	return repo, nil
}

// At returns a repository that is known to be in a place, without asking git about it.
func At(place *Repo, o Options) *Repo {
	repo := *place
	repo.runner = &runner{options: o, env: environ(o)}
	return &repo
}

// openArgs ask where the repository is and what HEAD is.
var openArgs = []string{
	"rev-parse", "--path-format=absolute", "--is-bare-repository", "--is-shallow-repository", "--show-object-format",
	"--git-dir", "--git-common-dir", "--git-path", "index",
	// These may print nothing: all of them without a working tree, the last two if
	// HEAD is unborn.
	"--show-toplevel", "--revs-only", "HEAD", "--symbolic-full-name", "HEAD",
}

// read sets the fields from the output of openArgs.
func (r *Repo) read(ctx context.Context, res Output, err error) error {
	lines := strings.Split(strings.TrimSuffix(string(res.Stdout), "\n"), "\n")
	const fixed = 6
	failed := (*Error)(nil)
	if errors.As(err, &failed) && !strings.Contains(failed.Stderr, "must be run in a work tree") {
		return failed.withAdvice()
	}
	if len(res.Stdout) == 0 {
		return &Error{Args: openArgs, Err: errors.New("no output"), Next: "check that \"git\" on PATH is git"}
	}
	if len(lines) != fixed && len(lines) != fixed+1 && len(lines) != fixed+3 {
		return &Error{Args: openArgs, Err: errors.New("the repository's path has a line break"), Next: "move the repository"}
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

// setHead sets Head and Branch from the commit and the full name of HEAD; lines is
// empty if HEAD is unborn.
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
		if full == "" {
			return &Error{Args: []string{"symbolic-ref", "HEAD"}, Err: errors.New("no output"), Next: "check that \"git\" on PATH is git"}
		}
	}
	if name, ok := strings.CutPrefix(full, "refs/heads/"); ok {
		r.Branch = name
	}
	return nil
}
