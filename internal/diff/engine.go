package diff

import (
	"context"
	"io/fs"
	"time"
)

// Engine answers questions about a repository and its changes. Every engine returns git's
// own answer or an error. Methods may be called concurrently; none of them writes to the
// index, the working tree or the object store.
type Engine interface {
	// Root returns the top of the working tree, or "" if there is none.
	Root() string
	// GitDir returns the git directory of the working tree.
	GitDir() string
	// Head resolves the tree to check. Only a Commit has a ref.
	Head(ctx context.Context, kind HeadKind, ref string) (Head, error)
	// Resolve finds a base, or fails with a *NoVerdictError.
	Resolve(ctx context.Context, r BaseRequest) (Base, error)
	// Changes returns the net diff from base to head.
	Changes(ctx context.Context, base Base, head Head) (Changeset, error)
	// Staged returns what a commit of the index would change: HEAD to index, or all of the
	// index before the first commit.
	Staged(ctx context.Context) (Changeset, error)
	// Unstaged returns the files of the working tree that may differ from the index: all that
	// differ, and perhaps some whose times changed. Untracked files are left out.
	Unstaged(ctx context.Context) ([]Change, error)
	// Lines returns, by path, the ranges of lines at head that each change added or changed.
	Lines(ctx context.Context, base Base, head Head, list []Change) (map[string][]Lines, error)
	// Details returns, by path, the requested parts of each change.
	Details(ctx context.Context, base Base, head Head, list []Change, parts []Part) (map[string]*Detail, error)
	// Contents returns files at head, each up to limit bytes, without those that do not exist.
	// Without a limit it is negative; 0 asks only which exist.
	Contents(ctx context.Context, head Head, paths []string, limit int64) (map[string][]byte, error)
	// Links returns those of the paths that are symlinks at head.
	Links(ctx context.Context, head Head, paths []string) (map[string]bool, error)
	// EachContent visits what Contents returns, one by one and perhaps concurrently, so that
	// very many files can be read. In the working tree it also visits files that a sparse
	// checkout leaves out.
	EachContent(ctx context.Context, head Head, sought []Sought, limit int64, visit func(path string, content []byte)) error
	// Files lists every file at head, in byte order.
	Files(ctx context.Context, head Head) ([]string, error)
	// FilesIn lists, in byte order, the tracked files at head that have a name and those below
	// directories that have it, in any case, except at the root under the name as it is
	// written; see [NamedIn]. No character of the name may be special in a pathspec.
	FilesIn(ctx context.Context, head Head, name string) ([]string, error)
	// Search lists, in byte order, the regular files at head at and below paths, or all if
	// there are none, that contain a text of one line, its ASCII letters in any case.
	Search(ctx context.Context, head Head, text string, paths []string) ([]string, error)
	// Tree returns the part of head at and below paths as a file system.
	Tree(ctx context.Context, head Head, paths ...string) (fs.FS, error)
	// Messages returns those of the commits that head has and base does not, newest first.
	Messages(ctx context.Context, base Base, head Head) ([]Message, error)
	// Dates returns when each of these commits was made.
	Dates(ctx context.Context, base Base, head Head) ([]Dates, error)
	// Merging reports whether the commit that is made next is a merge.
	Merging() (bool, error)
	// Committed returns the time at which a commit was made, by its committer.
	Committed(ctx context.Context, commit string) (time.Time, error)
	// Departures returns, of paths that a commit lacks, how those left the newest part of its
	// main line that were in it. An engine may know of none.
	Departures(ctx context.Context, commit string, paths []string) (map[string]Departure, error)
	// Touched returns the names that each commit changed; for a merge, those that differ
	// from every parent. Commits whose parents are missing are left out.
	Touched(ctx context.Context, commits []string) (map[string][]string, error)
	// Hook returns the text of the hook that git runs under a name, or nil.
	Hook(ctx context.Context, name string) ([]byte, error)
	// CommentMark returns the prefix of comments in commit messages that are being edited,
	// or "auto" if git chooses one each time.
	CommentMark(ctx context.Context) (string, error)
}

// Departure is the end of a path: the commit that renamed or deleted the file.
type Departure struct{ Commit, To string } // To: its new name; empty if it was deleted

// Sought are files to read, each in one list only, for the sake of texts in them.
type Sought struct {
	Paths []string
	// Texts are texts of one line: a file without any of them may be left out. If there are no texts, all files are read.
	Texts []string
}

// PathsOf returns all paths of lists of files.
func PathsOf(sought []Sought) []string {
	var paths []string
	for _, s := range sought {
		paths = append(paths, s.Paths...)
	}
	return paths
}

// Message holds the text of a commit's message.
type Message struct {
	Commit string
	Author Author
	Text   string
	Merge  bool // the commit has several parents
}

// Dates are the dates of a commit. A rebase keeps that of the author.
type Dates struct {
	Commit              string
	Authored, Committed time.Time
}

// Author is the author of a commit, as the commit has it.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}
