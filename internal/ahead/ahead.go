// Package ahead has git at work before the rest of the program is there to ask it.
//
// Go initialises packages one at a time: of those whose imports are initialised, the
// first by its path (https://go.dev/ref/spec#Program_initialization). Most of that time
// goes to OPA and what it needs. Nothing of that is imported here, so that git can
// find the repository, and what changed in it, meanwhile. It reads, and what it answers
// is taken only where the very same is asked.
package ahead

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// early is what the program was started for, if its arguments tell at first sight.
var early = begin(os.Args[1:], os.Environ()) //nolint:forbidigo // there is no command yet that could hand it in

// question is what is asked with the program hardly begun.
type question struct {
	opening *diff.Opening
	options git.Options
	first   diff.BaseRequest
}

func begin(args, env []string) *question {
	first, ok := Judgement(args, env)
	if !ok {
		return nil
	}
	q := &question{options: git.Options{Env: env}, first: first}
	q.opening = diff.Begin(context.Background(), q.options, first)
	return q
}

// Opening is [diff.Begin] for a judgement, which may have begun already. It is called
// once.
func Opening(ctx context.Context, o git.Options, first diff.BaseRequest) *diff.Opening {
	if early != nil && early.asks(o, first) {
		return early.opening
	}
	if early != nil {
		early.opening.End()
	}
	return diff.Begin(ctx, o, first)
}

func (q *question) asks(o git.Options, first diff.BaseRequest) bool {
	return q.first == first && o.Dir == "" && o.Trace == nil && !o.LazyFetch &&
		slices.Equal(o.Env, q.options.Env)
}

// flag is one that is understood here. Any other may say that something else is asked,
// or nothing at all.
type flag struct {
	name   string
	valued bool
	says   func(first *diff.BaseRequest, value string) // nil: nothing of what is asked first
}

var flags = []flag{
	{"--fail-on", true, nil},
	{"--fix", false, nil},
	{"--format", true, nil},
	{"--no-sessions", false, nil},
	{"--no-waivers", false, nil},
	{"--only", true, nil},
	{"--quiet", false, nil},
	{"--since", true, func(first *diff.BaseRequest, ref string) { first.ID, first.Ref = diff.Since, ref }},
	{"--skip", true, nil},
	{"--staged", false, func(first *diff.BaseRequest, _ string) { first.Head.Kind = diff.Index }},
	{"--tag", true, nil},
	{"--to", true, func(first *diff.BaseRequest, ref string) { first.Head = diff.Head{Kind: diff.Commit, Ref: ref} }},
	{"-q", false, nil},
}

// Flags are the names of those that are understood here.
func Flags() []string {
	var names []string
	for _, f := range flags {
		names = append(names, f.name)
	}
	return names
}

// Judgement is what a judgement with these arguments asks git first; ok is false where
// they are any other, or the surroundings have a say in it.
func Judgement(args, env []string) (first diff.BaseRequest, ok bool) {
	if Surrounded(env) {
		return diff.BaseRequest{}, false
	}
	first = diff.BaseRequest{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Worktree}}
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		i := slices.IndexFunc(flags, func(f flag) bool { return f.name == name })
		if i < 0 || joined && !flags[i].valued {
			return diff.BaseRequest{}, false
		}
		if flags[i].valued && !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if says := flags[i].says; says != nil {
			says(&first, value)
		}
	}
	return first, true
}

// Surrounded reports whether the program runs within another that may say what is
// compared: GitHub Actions, the pre-commit framework.
func Surrounded(env []string) bool {
	return slices.ContainsFunc(env, func(kv string) bool {
		return strings.HasPrefix(kv, "GITHUB_ACTIONS=") || strings.HasPrefix(kv, "PRE_COMMIT=")
	})
}
