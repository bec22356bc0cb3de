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
	Lines(ctx context.Context, base Base, head Head, list []Change) (map[string][]Lines, error)
	// Contents are the files at head, each up to limit bytes; absent ones are left out.
	Contents(ctx context.Context, head Head, paths []string, limit int64) (map[string][]byte, error)
	// Files lists every file at head, in byte order.
	Files(ctx context.Context, head Head) ([]string, error)
	// Tree is the part of head at and below paths, to be read by name.
	Tree(ctx context.Context, head Head, paths ...string) (fs.FS, error)
	// Messages are those of the commits of head that base does not have, newest first.
	Messages(ctx context.Context, base Base, head Head) ([]Message, error)
}

// Message is what a commit says of itself.
type Message struct {
	Commit string
	Text   string
}
