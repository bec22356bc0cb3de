package diff

import (
	"context"
	"errors"
	"io/fs"
	"runtime"

	"github.com/rulecheck/rulecheck/internal/git"
)

// ErrNeedsGit is what an *UnjudgeableError of the embedded engine wraps where
// the question is one that only the git program answers exactly.
var ErrNeedsGit = errors.New("needs the git program")

// needsGit refuses a shape of repository, or a question, that the embedded
// engine does not answer exactly as git would.
func needsGit(shape string) error {
	return &UnjudgeableError{
		Reason: shape + " " + ErrNeedsGit.Error() + ": install git 2.31 or newer",
		Mend:   "rulecheck --git program",
		Err:    ErrNeedsGit,
	}
}

// EmbeddedOptions say where the embedded engine looks and with what.
type EmbeddedOptions struct {
	Dir    string   // where the search for the repository starts; empty: the process's directory
	Env    []string // as KEY=value; the last value of a variable counts
	Notice string   // a notice for every changeset, such as why this engine was chosen

	// Objects opens object directories, to be read in their order: objects.Open.
	Objects func(dirs []string) ObjectStore
}

// embedded answers without a git program: it reads the repository itself, but for
// objects, which an ObjectStore reads. It knows an allow-list of shapes; what is not
// on it is refused, when the repository is opened or when a question touches it. It
// holds what it read for one run and never writes.
type embedded struct {
	env     environment
	notice  string
	here    *git.Repo // only what it says, never run
	config  config
	objects *objects
	cut     map[id]bool // commits whose parents a shallow clone lacks
}

// OpenEmbedded returns the engine that needs no git program. It answers as git
// would or fails with an *UnjudgeableError that wraps ErrNeedsGit.
func OpenEmbedded(_ context.Context, o EmbeddedOptions) (Engine, error) {
	if o.Objects == nil {
		return nil, errors.New("the embedded engine was given nothing that reads objects; hand in objects.Open as EmbeddedOptions.Objects")
	}
	e, err := locate(o.Dir, o.Env)
	if err != nil {
		return nil, err
	}
	e.notice = o.Notice
	e.objects, err = openObjects(e.here.CommonDir, o.Objects)
	return e, err
}

// locate reads where the repository is, its configuration and what HEAD is. It refuses
// every shape that is not on the allow-list.
func locate(dir string, env []string) (*embedded, error) {
	if runtime.GOOS != "linux" {
		return nil, needsGit("a repository on " + runtime.GOOS)
	}
	e := &embedded{env: parseEnvironment(env)}
	if err := e.env.known(); err != nil {
		return nil, err
	}
	found, err := discover(dir, e.env)
	if err != nil {
		return nil, err
	}
	e.here = found.repo
	if e.config, err = readConfig(e.env, e.here); err != nil {
		return nil, err
	}
	if err := e.settle(found); err != nil {
		return nil, err
	}
	if err := e.known(); err != nil {
		return nil, err
	}
	if e.cut, err = shallowCommits(e.here.CommonDir); err != nil {
		return nil, err
	}
	e.here.Shallow = len(e.cut) > 0
	return e, e.readHead()
}

// Root is the top of the working tree; empty where there is none.
func (e *embedded) Root() string { return e.here.Root }

// Head resolves what is judged, as Program.Head does.
func (e *embedded) Head(ctx context.Context, kind HeadKind, ref string) (Head, error) {
	return resolveHead(ctx, e, kind, ref)
}

// Expect does nothing: there is no process whose start would be worth hastening.
func (*embedded) Expect(context.Context, Head) {}

// Resolve finds a base, as Program.Resolve does.
func (e *embedded) Resolve(ctx context.Context, r BaseRequest) (Base, error) {
	b, err := resolve(ctx, e, r)
	if err == nil && b.ID == Prompt && snapshotID().MatchString(b.Ref) {
		return Base{}, needsGit("a comparison with the snapshot of a prompt")
	}
	return b, err
}

// Contents are the files at head, as of Program.Contents.
func (e *embedded) Contents(ctx context.Context, head Head, paths []string, limit int64) (map[string][]byte, error) {
	return contents(ctx, e, head, paths, limit)
}

// Tree is a part of head, as of Program.Tree.
func (e *embedded) Tree(ctx context.Context, head Head, paths ...string) (fs.FS, error) {
	return tree(ctx, e, head, paths)
}

func (e *embedded) place() *git.Repo { return e.here }

func (e *embedded) emptyTree() string { return emptyTrees["sha1"] }

// settings are what an answer takes from the configuration.
func (e *embedded) settings(context.Context) (*settings, error) {
	return parseSettings(e.config.listing()), nil
}
