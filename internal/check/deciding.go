package check

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Begin reads what every judgement begins with, beside whatever the caller has to
// do first, such as to find the repository.
func Begin() { go policies.Load() } //nolint:errcheck // whoever waits gets the error

// deciding compiles policies: those of the modes that have something to judge, when
// that is known, and where git is long at work those of all modes meanwhile. A
// project's own are compiled whole, for what is wrong with them is to be told, and
// not before the conditions, which read the same modules: to read one changes it.
type deciding struct {
	bundle *policies.Bundle
	under  *sync.WaitGroup

	mutex sync.Mutex
	begun func() (*policy.Engine, error) // nil: not yet
}

// whileGitWorks is how long git may take before to wait for it costs more than to
// compile what may not be needed: as long as that takes.
const whileGitWorks = 4 * time.Millisecond

// by says which policies decide.
func (d *deciding) by(bundle *policies.Bundle) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.bundle = bundle
	if !bundle.Built() {
		d.begun = nil // but not those of the program alone
	}
}

// early compiles the program's policies about changes. It is for when git has told of
// some before it is known which rules there are. Nobody need wait for it.
func (d *deciding) early() {
	own, err := policies.Load()
	if err != nil {
		return // whoever wants the policies is told
	}
	var modes []string
	for name, mode := range own.Modes {
		if !mode.Session() {
			modes = append(modes, name)
		}
	}
	d.mutex.Lock()
	if d.bundle != nil && !d.bundle.Built() {
		d.mutex.Unlock()
		return
	}
	begun := d.first(context.Background(), own, modes)
	d.mutex.Unlock()
	_, _ = begun()
}

// ahead compiles the policies of rules unless somebody soon wants some of them.
func (d *deciding) ahead(ctx context.Context, rules []*rule.Rule) {
	d.under.Go(func() {
		select {
		case <-ctx.Done():
		case <-time.After(whileGitWorks):
			_, _ = d.begin(ctx, modesOfRules(rules))() // whoever wants it gets the error
		}
	})
}

// begin gives what is compiled first, or has it be what modes need.
func (d *deciding) begin(ctx context.Context, modes []string) func() (*policy.Engine, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.first(ctx, d.bundle, modes)
}

// first is begin with the mutex held.
func (d *deciding) first(ctx context.Context, bundle *policies.Bundle, modes []string) func() (*policy.Engine, error) {
	if d.begun == nil {
		d.begun = sync.OnceValues(func() (*policy.Engine, error) { return policy.NewFor(ctx, bundle, modes) })
	}
	return d.begun
}

// engine is one that can decide by the modes of rules.
func (d *deciding) engine(ctx context.Context, rules []*rule.Rule) (*policy.Engine, error) {
	modes := modesOfRules(rules)
	engine, err := d.begin(ctx, modes)()
	if err != nil || engine.Has(modes) {
		return engine, err
	}
	return policy.NewFor(ctx, d.bundle, modes)
}

// modesOfRules are the modes of rules, each once.
func modesOfRules(rules []*rule.Rule) []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Mode)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
