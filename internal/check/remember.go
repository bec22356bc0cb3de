package check

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// remembering is an engine that reads what is staged, the commits of each change and parts of commits
// once, because several parts of a check look at them, and notes which files were not read as lines.
type remembering struct {
	diff.Engine

	mark   func() (string, error)
	staged func() (diff.Changeset, error)

	messages async.Memo[commitRange, []diff.Message]
	trees    async.Memo[string, fs.FS] // parts of commits, by their ids and paths
	targets  async.Memo[diff.BaseRequest, diff.Base]

	mutex  sync.Mutex
	unread map[string]diff.Unread // why files were not read as lines, by path
}

// commitRange is the commits from a base to a head. Bases of other ids are the same commit.
type commitRange struct{ prompt, base, head string }

func remember(ctx context.Context, engine diff.Engine) *remembering {
	return &remembering{
		Engine: engine,
		mark:   sync.OnceValues(func() (string, error) { return engine.CommentMark(ctx) }),
		staged: sync.OnceValues(func() (diff.Changeset, error) { return engine.Staged(ctx) }),
		unread: map[string]diff.Unread{},
	}
}

// Resolve finds a base. The target of the change is looked for once, and does not move meanwhile.
func (e *remembering) Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error) {
	if r.ID != diff.Target {
		return e.Engine.Resolve(ctx, r)
	}
	return e.targets.Get(r, func() (diff.Base, error) { return e.Engine.Resolve(ctx, r) })
}

// Tree returns a part of head. That of a commit is read once: both the settings of commands and the
// caches of their tools depend on the target of the change.
func (e *remembering) Tree(ctx context.Context, head diff.Head, paths ...string) (fs.FS, error) {
	if head.Kind != diff.Commit {
		return e.Engine.Tree(ctx, head, paths...)
	}
	of := head.Commit + "\x00" + strings.Join(slices.Sorted(slices.Values(paths)), "\x00")
	return e.trees.Get(of, func() (fs.FS, error) { return e.Engine.Tree(ctx, head, paths...) })
}

// Details returns details of changes.
func (e *remembering) Details(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part,
) (map[string]*diff.Detail, error) {
	details, err := e.Engine.Details(ctx, base, head, list, parts)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for path, d := range details {
		if d.Unread != "" {
			e.unread[path] = d.Unread
		}
	}
	return details, err
}

// Messages returns the commits that head has and base does not.
func (e *remembering) Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	of := commitRange{base: base.Commit, head: head.Commit}
	if base.ID == diff.Prompt {
		of.prompt = base.Ref
	}
	return e.messages.Get(of, func() ([]diff.Message, error) { return e.Engine.Messages(ctx, base, head) })
}

// CommentMark returns the prefix of comments in commit messages.
func (e *remembering) CommentMark(context.Context) (string, error) { return e.mark() }

// Staged returns what a commit of the index would change.
func (e *remembering) Staged(context.Context) (diff.Changeset, error) { return e.staged() }
