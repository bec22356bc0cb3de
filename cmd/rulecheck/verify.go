package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sourcegraph/conc"
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/attest"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// attestGit is the value of --attest that keeps the statement in the repository.
const attestGit = "git"

// attestFlags are the flags about the signed statement of a check.
type attestFlags struct {
	to  string // a file, or attestGit
	key string // a file; empty: not signed
}

func (f *attestFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.to, "attest", "", "with --to: write a statement about the check to `FILE`, or to refs/attestations with \"git\"")
	flags.StringVar(&f.key, "attest-key", "", "sign the statement with the ECDSA or Ed25519 key in the PEM `FILE`")
}

// check returns what is wrong with the flags of a check.
func (f *attestFlags) check(o check.Options) error {
	switch {
	case f.to == "" && f.key == "":
		return nil
	case f.to == "":
		return errors.New("--attest-key signs what --attest writes; add --attest FILE")
	case o.To == "":
		return errors.New("--attest is about a commit; add --to, as in --to HEAD")
	case len(o.Paths) > 0:
		return fmt.Errorf("--attest is about a whole commit; omit %q", o.Paths[0])
	case f.to == attestGit && f.key == "":
		return errors.New("--attest git keeps only signed statements; add --attest-key FILE")
	}
	return nil
}

// write writes the statement about a finished check.
func (f *attestFlags) write(ctx context.Context, repo *git.Repo, result *check.Result, revision string) error {
	if f.to == "" {
		return nil
	}
	if repo == nil {
		return fmt.Errorf("--attest %w; omit --git embedded", diff.ErrNeedsGit)
	}
	commit, tree, err := attest.TreeOf(ctx, repo, revision)
	if err != nil {
		return err
	}
	statement, err := attest.Of(ctx, result, commit, tree)
	if err != nil {
		return err
	}
	text, err := statement.Bytes()
	if err == nil && f.key != "" {
		text, err = attest.Sign(ctx, statement, f.key)
	}
	if err != nil {
		return err
	}
	if f.to == attestGit {
		_, err = attest.Store(ctx, repo, tree, text)
		return err
	}
	if err := atomicfile.Write(f.to, append(text, '\n')); err != nil {
		return fmt.Errorf("--attest %s: %w; want a file in an existing, writable directory", f.to, err)
	}
	return nil
}

// verifyFlags are the flags of verify.
type verifyFlags struct {
	signers, file, since, rulesFrom string
}

func newVerify(p *process) *cobra.Command {
	f := &verifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify COMMIT",
		Short: "Verify that a trusted signer attested the check of a commit",
		Long: `verify looks for a statement that rulecheck --attest wrote about the tree of COMMIT.
It accepts a statement if a key in the --signers file signed it, the check passed, and
the check used the commit where the change begins now and the current rules of the
target branch. Nothing is checked again.

Statements are read from refs/attestations, which clones do not fetch by themselves:
git fetch origin 'refs/attestations/*:refs/attestations/*'

Exit status: 0 accepted, 1 no acceptable statement, 2 wrong usage, 3 something could not
be read.`,
		Example: `  rulecheck verify HEAD --signers signers.pem
  rulecheck verify HEAD --signers signers.pem --attestation check.json --since origin/main`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%d arguments; want one commit, as in: rulecheck verify HEAD --signers FILE", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.verify(cmd.Context(), f, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.signers, "signers", "", "accept signatures of the public keys in the PEM `FILE` (required)")
	flags.StringVar(&f.file, "attestation", "", "read the statement from `FILE` instead of refs/attestations")
	flags.StringVar(&f.since, "since", "", "the change begins at the merge base with `REF` (default: with the default branch)")
	flags.StringVar(&f.rulesFrom, "rules-from", "", "want the rules of the commit `REF` (default: of the target branch)")
	return cmd
}

func (p *process) verify(ctx context.Context, f *verifyFlags, revision string) error {
	if f.signers == "" {
		return errors.New("verify wants the public keys to trust: --signers FILE")
	}
	signers, err := attest.ReadSigners(f.signers)
	if err != nil {
		return err
	}
	engine, err := p.open(ctx, git.Options{})
	if err != nil {
		return err
	}
	if p.repo == nil {
		return evaluationError{fmt.Errorf("verify %w; omit --git embedded", diff.ErrNeedsGit)}
	}
	commit, tree, err := attest.TreeOf(ctx, p.repo, revision)
	if err != nil {
		return err
	}
	var background conc.WaitGroup
	defer background.Wait()
	stored := async.Go(&background, func() (map[string][]byte, error) { return f.envelopes(ctx, p.repo, tree) })
	var required *attest.Requirement
	embedded, err := native.Open(native.Options{Env: p.env}) // a process of git for each object costs more
	if err == nil {
		required, err = f.require(ctx, embedded, commit, tree)
	}
	if err != nil {
		required, err = f.require(ctx, engine, commit, tree)
	}
	if err != nil {
		return evaluationError{err}
	}
	envelopes, err := stored()
	if err != nil {
		return evaluationError{err}
	}
	var refused []string
	for _, name := range slices.Sorted(maps.Keys(envelopes)) {
		statement, key, err := signers.Open(ctx, envelopes[name])
		if err == nil {
			err = required.Accept(statement)
		}
		if err == nil {
			p.print("verified: %s, signed by %s\n  %s\n", plain.Line(name), plain.Line(key), plain.Line(statement.Summary()))
			return nil
		}
		for _, each := range separate(err) {
			refused = append(refused, name+": "+each.Error())
		}
	}
	if len(refused) == 0 {
		refused = []string{fmt.Sprintf("no statement about %s, the tree of %s; to write one, run: rulecheck --to %s --attest git --attest-key FILE", tree, revision, revision)}
	}
	for _, line := range refused {
		p.print("refused: %s\n", plain.Line(line))
	}
	p.status = statusFindings
	return nil
}

// envelopes returns the statements to look at, by where they are.
func (f *verifyFlags) envelopes(ctx context.Context, repo *git.Repo, tree string) (map[string][]byte, error) {
	if f.file == "" {
		return attest.Stored(ctx, repo, tree)
	}
	text, err := regular.ReadFile(f.file)
	if err != nil {
		return nil, fmt.Errorf("--attestation: %w; want a file that rulecheck --attest wrote", err)
	}
	return map[string][]byte{f.file: text}, nil
}

// require returns what a statement about a commit must say.
func (f *verifyFlags) require(ctx context.Context, engine diff.Engine, commit, tree string) (*attest.Requirement, error) {
	head := diff.Head{Kind: diff.Commit, Ref: commit, Commit: commit}
	request := diff.BaseRequest{Head: head, Ref: f.since}
	project, tip, err := setup.OpenTarget(ctx, engine, request, agents.Ring{})
	if err != nil {
		return nil, err
	}
	if request.ID = diff.MergeBase; f.since != "" {
		request.ID = diff.Since
	} else {
		request.DefaultBranch = project.Config.DefaultBranch
	}
	base, err := engine.Resolve(ctx, request)
	if err != nil {
		return nil, err
	}
	if f.rulesFrom != "" {
		from, err := engine.Head(ctx, diff.Commit, f.rulesFrom)
		if err != nil {
			return nil, err
		}
		if project, err = setup.Open(ctx, engine, from, agents.Ring{}); err != nil {
			return nil, err
		}
	}
	builtin, err := policies.Load()
	if err != nil {
		return nil, err
	}
	project.ReadPolicies(builtin)
	if err := project.ReadRules(ctx, nil); err != nil {
		return nil, err
	}
	return attest.Require(ctx, project, commit, tree, base.Commit, tip.Commit)
}
