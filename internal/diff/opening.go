package diff

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Opening is a [Program] that is being opened.
type Opening struct {
	cancel   context.CancelFunc
	program  func() (*Program, error)
	settings func() (*settings, error) // that git was asked for; nil: it was not
}

// Begin opens the repository around a directory, and as soon as that is found asks git
// what a judgement asks first: what changed from the base that first requests, whose
// head has a kind and a ref alone. Without an ID nothing is asked.
//
// Of a working tree only what needs no files of ours is asked: whoever begins may not
// be there yet to take them away.
func Begin(ctx context.Context, o git.Options, first BaseRequest) *Opening {
	ctx, cancel := context.WithCancel(ctx)
	opening := &Opening{cancel: cancel}
	opening.program = sync.OnceValues(func() (*Program, error) {
		p, err := opening.open(ctx, o, first)
		if err == nil && first.ID != "" {
			p.begin(ctx, first)
		}
		return p, err
	})
	go opening.program() //nolint:errcheck // whoever waits gets the error
	return opening
}

// open finds the repository: by its files, where that is exact, which most often takes
// less than to start git. Whatever is wrong or special, git has the say.
func (o *Opening) open(ctx context.Context, options git.Options, first BaseRequest) (*Program, error) {
	if first.ID == Since {
		options.Since = first.Ref
	}
	runner := git.New(options)
	if first.ID != Since && git.Present() { // of which git would be asked for the merge base in any case
		if e, err := locate(options.Dir, options.Env); err == nil {
			e.here.Runner = runner
			p := New(e.here)
			p.setting = func() (*settings, error) { return e.settings(ctx) }
			return p, nil
		}
	}
	repo := runner.Begin(ctx)
	if first.ID == MergeBase && runner.MayHaveRemotes() { // else hardly anybody will want to know
		// Which remotes there are depends on nothing else that git says.
		config := runner.Start(ctx, settingsCall)
		o.settings = sync.OnceValues(func() (*settings, error) { return settingsOf(config()) })
	}
	here, err := repo()
	if err != nil {
		return nil, err
	}
	p := New(here)
	p.setting = o.settings
	return p, nil
}

// Program waits for the engine. It fails as [git.Open] does. Where ctx ends, so does
// what was asked ahead.
func (o *Opening) Program(ctx context.Context) (*Program, error) {
	context.AfterFunc(ctx, o.cancel)
	return o.program()
}

// End ends what nobody waits for any more.
func (o *Opening) End() {
	o.cancel()
	p, err := o.program()
	if o.settings != nil {
		_, _ = o.settings()
	}
	if err == nil {
		p.first.end()
	}
}

// begin asks what a judgement asks first.
func (p *Program) begin(ctx context.Context, first BaseRequest) {
	head, err := p.Head(ctx, first.Head.Kind, first.Head.Ref)
	if err != nil {
		return // whoever asks for it will be told
	}
	p.Expect(ctx, head)
	first.Head = head
	p.first.begin(first,
		func() (Base, error) { return resolve(ctx, p, first) },
		func(base Base) (Changeset, error) { return p.compareWith(ctx, base, head) })
}

// first is the question of a judgement that is asked before the judgement is there
// to ask it. Its answer is given once: whoever asks again wants to know what is new.
type first struct {
	mutex   sync.Mutex
	request BaseRequest // zero: nothing was asked
	base    func() (Base, error)
	changes func() (Changeset, error) // nil: not asked, or given
}

func (f *first) begin(request BaseRequest, base func() (Base, error), changes func(Base) (Changeset, error)) {
	f.request, f.base = request, sync.OnceValues(base)
	ask := func() (Changeset, error) {
		from, err := f.base()
		if err != nil {
			return Changeset{}, err
		}
		return changes(from)
	}
	if request.Head.Kind == Worktree {
		go f.base() //nolint:errcheck // whoever waits gets the error
		return
	}
	f.changes = sync.OnceValues(ask)
	go f.changes() //nolint:errcheck // whoever waits gets the error
}

// head is the head of the question, if it is the one asked for.
func (f *first) head(kind HeadKind, ref string) (Head, bool) {
	head := f.request.Head
	return head, f.base != nil && head.Kind == kind && head.Ref == ref
}

// resolved gives the base that is requested; nil where another one was.
func (f *first) resolved(request BaseRequest) func() (Base, error) {
	if f.base == nil || f.request != request {
		return nil
	}
	return f.base
}

// compared gives the changes from base to head, once; nil where it did not ask for them.
func (f *first) compared(base Base, head Head) func() (Changeset, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.changes == nil || f.request.Head != head {
		return nil
	}
	if from, err := f.base(); err != nil || from != base {
		return nil
	}
	changes := f.changes
	f.changes = nil
	return changes
}

// end waits until nothing is under way any more.
func (f *first) end() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	switch {
	case f.changes != nil:
		_, _ = f.changes()
	case f.base != nil:
		_, _ = f.base()
	}
}
