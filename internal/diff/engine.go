package diff

import (
	"context"
	"io/fs"
)

// Engine answers every question about a change. All engines give the same
// answers, git's own, or an error. Methods may be called concurrently; none
// writes to the index, the working tree or the object store.
type Engine interface {
	// Root is the top of the working tree; empty where there is none.
	Root() string
	// Head resolves what is judged. Only a Commit has a ref.
	Head(ctx context.Context, kind HeadKind, ref string) (Head, error)
	// Resolve finds a base, or fails with an *UnjudgeableError.
	Resolve(ctx context.Context, r BaseRequest) (Base, error)
	// Expect says that changes to head will be asked for, so that what does not
	// depend on the base can be under way before the base is known.
	Expect(ctx context.Context, head Head)
	// Changes is the one net diff from base to head.
	Changes(ctx context.Context, base Base, head Head) (Changeset, error)
	// Staged are the names that a commit of the index would change.
	Staged(ctx context.Context) (map[string]bool, error)
	// Lines are the runs of lines at head that each of the changes added or changed.
	// Whoever wants them waits for them; they may be looked for before.
	Lines(ctx context.Context, base Base, head Head, list []Change) (wait func() (map[string][]Lines, error))
	// Details are, by path, the parts asked for of each of the changes.
	Details(ctx context.Context, base Base, head Head, list []Change, parts []Part) (map[string]*Detail, error)
	// Contents are the files at head, each up to limit bytes; absent ones are left out.
	Contents(ctx context.Context, head Head, paths []string, limit int64) (map[string][]byte, error)
	// Files lists every file at head, in byte order.
	Files(ctx context.Context, head Head) ([]string, error)
	// Tree is the part of head at and below paths, to be read by name.
	Tree(ctx context.Context, head Head, paths ...string) (fs.FS, error)
	// Messages are those of the commits of head that base does not have, newest first.
	Messages(ctx context.Context, base Base, head Head) ([]Message, error)
	// Touched are the names that each of the commits changed, of a merge those it
	// changed itself. A commit of which this cannot be known is left out.
	Touched(ctx context.Context, commits []string) (map[string][]string, error)
	// Hook is the text of the hook that git runs under a name; nil where it runs none.
	Hook(ctx context.Context, name string) ([]byte, error)
	// CommentMark is what begins a comment in a message that is being written; "auto"
	// where git chooses.
	CommentMark(ctx context.Context) (string, error)
}

// Message is what a commit says of itself.
type Message struct {
	Commit string
	Text   string
}
