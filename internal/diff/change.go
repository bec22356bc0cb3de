// Package diff describes what changed between a base and a head, as git reports it: the
// types, the Engine that both implementations satisfy, and the parsers of git's diff formats.
//
// A [Changeset] is one net diff. Its base is a commit that package resolve finds for a
// [BaseRequest]; its head is the working tree, the index or a commit. [Engine] has two
// implementations: package program asks git, and package native reads the repository itself
// where no git is installed. They return the same answer, or an error: [NoVerdictError] if
// there is no base, [ErrNeedsGit] if native cannot read a repository exactly.
package diff

// Change describes one file between base and head. A rename is one change with two names.
type Change struct {
	Path       string `json:"path"`                 // at head; the old name of a deleted file
	OldPath    string `json:"old_path,omitempty"`   // of a rename
	Status     Status `json:"status"`               //
	Untracked  bool   `json:"untracked,omitempty"`  // in the worktree, not in the index
	Mode       string `json:"mode"`                 // octal, at head; at base where it is deleted
	Kind       Kind   `json:"kind"`                 // at head; at base where it is deleted
	Similarity int    `json:"similarity,omitempty"` // of a rename, percent

	ModeChanged bool `json:"-"` // of a modified file, such as by chmod

	*Detail // nil until the caller fills in what Engine.Details returned

	// Object and OldObject are the ids of the content at head and at base as the engine
	// reported them, empty where it reported none. Engines use them to answer questions
	// about the change without another lookup.
	Object    string `json:"-"`
	OldObject string `json:"-"`
}

// Names returns the paths that the change touches: both of a rename.
func (c Change) Names() []string {
	if c.OldPath != "" {
		return []string{c.OldPath, c.Path}
	}
	return []string{c.Path}
}

// Gone reports whether name, one of the change's names, no longer exists at head.
func (c Change) Gone(name string) bool {
	return c.Status == Deleted || c.Status == Renamed && name == c.OldPath
}

// GoneNames returns the changed names that no longer exist at head: one change removes
// them and no other adds them.
func GoneNames(changes []Change) map[string]bool {
	gone := map[string]bool{}
	for i := range changes {
		if c := &changes[i]; c.Status == Deleted {
			gone[c.Path] = true
		} else if c.Status == Renamed {
			gone[c.OldPath] = true
		}
	}
	if len(gone) == 0 {
		return gone
	}
	for i := range changes {
		if c := &changes[i]; c.Status != Deleted {
			delete(gone, c.Path)
		}
	}
	return gone
}

// Renames returns the new names of renamed files, by the old ones.
func Renames(changes []Change) map[string]string {
	to := map[string]string{}
	for i := range changes {
		if c := &changes[i]; c.Status == Renamed {
			to[c.OldPath] = c.Path
		}
	}
	return to
}

// Status names what happened to a file.
type Status string

// The statuses of a change.
const (
	Added       Status = "added"
	Modified    Status = "modified"
	Deleted     Status = "deleted"
	Renamed     Status = "renamed"
	TypeChanged Status = "type_changed"
	Unmerged    Status = "unmerged"
)

// Kind names the type of object that git stores under a path.
type Kind string

// The kinds of entry.
const (
	File      Kind = "file"
	Symlink   Kind = "symlink"
	Submodule Kind = "submodule"
)

// Base identifies the object that a change starts from and how it was found.
type Base struct {
	ID      string `json:"id"`            // base, default_tip, prompt, since, from
	Ref     string `json:"ref,omitempty"` // as asked or as configured: main, origin/main, HEAD~3; the id of a prompt's snapshot
	Commit  string `json:"commit"`        // the object git diffs against: a commit, the tree of a snapshot, or the empty tree
	FoundBy string `json:"found_by"`      // as text: "merge base with origin/main (origin/HEAD)"
}

// Head identifies the tree that is checked.
type Head struct {
	Kind   HeadKind `json:"kind"`
	Ref    string   `json:"ref,omitempty"`    // as asked with --to
	Commit string   `json:"commit,omitempty"` // of a commit; of HEAD otherwise; empty while unborn
	Branch string   `json:"branch,omitempty"` // checked out branch, empty when detached
}

// HeadKind selects the tree to check.
type HeadKind string

// The kinds of head.
const (
	Worktree HeadKind = "worktree"
	Index    HeadKind = "index"
	Commit   HeadKind = "commit"
)

// Changeset holds every change between one base and one head, in byte order of Path.
type Changeset struct {
	Base    Base
	Head    Head
	Changes []Change
	Notices []string // incomplete answers, such as a truncated rename search
	// Unindexed are the files of a working tree that are the same as at base, and neither in the
	// index nor ignored. They are no changes.
	Unindexed []string
}

// Names returns the set of paths that the changes touch: both of a rename.
func (s Changeset) Names() map[string]bool {
	names := map[string]bool{}
	for i := range s.Changes {
		for _, name := range s.Changes[i].Names() {
			names[name] = true
		}
	}
	return names
}

// Lines is a range of lines, both ends included, counted from 1.
type Lines struct {
	First int `json:"first"`
	Last  int `json:"last"`
}
