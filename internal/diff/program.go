package diff

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Program answers every question about a change by asking the git program, one
// process per question. Its methods may be called concurrently. It writes neither
// to the index nor to the object store. It is for one run: git's configuration is
// read once.
type Program struct {
	repo  *git.Repo
	first first

	settling sync.Mutex
	settled  *settings
	setting  func() (*settings, error) // asked ahead; nil: nobody has

	enough      int64 // see largeIndex
	expected    expected
	remembering sync.Mutex
	told        map[ends][]record // what git said of comparisons with an index or the working tree
}

// New returns the engine for repo.
func New(repo *git.Repo) *Program { return &Program{repo: repo, enough: enough} }

// Head resolves what is judged. Only a Commit has a ref; it fails with an
// *UnjudgeableError where ref names no commit, or there is no working tree, or no
// index in a repository without one.
func (p *Program) Head(ctx context.Context, kind HeadKind, ref string) (Head, error) {
	if head, ok := p.first.head(kind, ref); ok {
		return head, nil
	}
	return resolveHead(ctx, p, kind, ref)
}

func resolveHead(ctx context.Context, repo repository, kind HeadKind, ref string) (Head, error) {
	here := repo.place()
	h := Head{Kind: kind, Commit: here.Head, Branch: here.Branch}
	switch kind {
	case Worktree:
		if here.Bare {
			return Head{}, &UnjudgeableError{Reason: "there is no working tree here", Mend: "rulecheck --to HEAD"}
		}
	case Index:
		// To git an index without a file is an empty one: everything were deleted.
		if _, err := os.Stat(here.IndexFile); here.Bare && err != nil {
			return Head{}, &UnjudgeableError{Reason: "there is no index here", Mend: "rulecheck --to HEAD", Err: err}
		}
	case Commit:
		commit, err := repo.commit(ctx, ref)
		if err != nil {
			return Head{}, err
		}
		h.Ref, h.Commit = ref, commit
	default:
		return Head{}, errors.New("unknown kind of head " + strconv.Quote(string(kind)) +
			"; want one of worktree, index, commit")
	}
	return h, nil
}

// commit resolves ref, anything git takes for a revision, to a commit's id.
func (p *Program) commit(ctx context.Context, ref string) (string, error) {
	if ref == "HEAD" && p.repo.Head != "" {
		return p.repo.Head, nil
	}
	out, err := p.repo.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	// A ref such as ^main is an exclusion, and git answers with one.
	if exited(err, 1, 128) || bytes.HasPrefix(out, []byte("^")) {
		return "", unknown(ctx, p, ref, err)
	}
	return strings.TrimSpace(string(out)), err
}

// exited reports whether err is a git process that ended with one of statuses.
func exited(err error, statuses ...int) bool {
	failed := (*git.Error)(nil)
	return errors.As(err, &failed) && slices.Contains(statuses, failed.Status)
}

// emptyTrees are the ids of the tree without entries, by object format. Git
// knows both without having them stored.
var emptyTrees = map[string]string{
	"sha1":   "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	"sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

// EmptyTreeBeside is the id of the tree without entries in a repository that has an
// object of this id; empty for what is no id.
func EmptyTreeBeside(id string) string {
	for _, tree := range emptyTrees {
		if len(tree) == len(id) {
			return tree
		}
	}
	return ""
}

// Repo is the repository as git has opened it.
func (p *Program) Repo() *git.Repo { return p.repo }

func (p *Program) place() *git.Repo { return p.repo }

func (p *Program) emptyTree() string { return emptyTrees[p.repo.ObjectFormat] }
