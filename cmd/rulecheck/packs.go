package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/pack/fetch"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// newPacks returns the command that fetches packs.
func newPacks(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "packs",
		Short: "Fetch and verify packs of rules in git repositories",
		Long: `Fetch and verify packs of rules in git repositories: those in "extends" of the
configuration, and the organization's pack in RULECHECK_ORG_PACK. Each is pinned by
the full id of a commit. Only packs add, packs fetch and packs update reach a server;
a check reads the cache of the user.`,
		Example: `  rulecheck packs add https://example.org/rules.git
  rulecheck packs verify`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage.UnknownCommand(cmd, args[0], "")
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPacksAdd(p), newPacksFetch(p), newPacksVerify(p), newPacksList(p), newPacksUpdate(p))
	return cmd
}

// openedPacks is the packs that the environment and the configuration name.
type openedPacks struct {
	fetch.Fetcher

	root string
	refs []pack.Ref // of the configuration
	lock pack.Lock

	written []pack.Locked // in the lock file
}

func (p *process) openPacks(cmd *cobra.Command) (*openedPacks, error) {
	o := &openedPacks{Fetcher: fetch.Fetcher{Settings: pack.From(cmd.Context()), Env: p.env}}
	if o.Malformed != nil {
		return nil, o.Malformed
	}
	var err error
	if o.root, o.refs, err = p.configuredPacks(cmd.Context()); err != nil {
		if o.Organization == nil {
			return nil, err
		}
		o.root, o.refs = "", nil // a job without a repository may fill the cache
	}
	if o.root == "" {
		return o, nil
	}
	o.lock, err = pack.ReadLock(regular.DirFS(o.root))
	if err != nil {
		return nil, evaluationError{err}
	}
	o.written = o.lock.Packs
	return o, nil
}

// configuredPacks returns the root of the repository and the packs of its configuration.
func (p *process) configuredPacks(ctx context.Context) (root string, packs []pack.Ref, err error) {
	engine, err := p.open(ctx, git.Options{})
	if err != nil {
		return "", nil, err
	}
	head, err := engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return "", nil, evaluationError{err}
	}
	tree, err := engine.Tree(ctx, head, setup.Dir)
	if err != nil {
		return "", nil, evaluationError{err}
	}
	config, problems := rule.LoadConfig(tree, setup.ConfigFile)
	var errs []error
	for _, problem := range problems {
		errs = append(errs, errors.New(problem.Error()))
	}
	return engine.Root(), config.Packs, errors.Join(errs...)
}

// all lists the packs with the digests that they must have.
func (o *openedPacks) all() []pack.Locked {
	var list []pack.Locked
	if o.Organization != nil {
		list = append(list, pack.Locked{Ref: *o.Organization})
	}
	for _, r := range o.refs {
		locked, _ := o.lock.Find(r)
		locked.Ref = r
		list = append(list, locked)
	}
	return list
}

func newPacksFetch(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "fetch",
		Short: "Fetch the packs that are not in the cache",
		Long: `Fetch the packs that are not in the cache, and write their digests to
.rulecheck/packs.lock, a file to commit.`,
		Example: `  rulecheck packs fetch`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := p.openPacks(cmd)
			if err != nil {
				return err
			}
			return p.fetchPacks(cmd.Context(), o)
		},
	}
}

// fetchPacks fetches all packs and writes the lock file.
func (p *process) fetchPacks(ctx context.Context, o *openedPacks) error {
	list := o.all()
	if len(list) == 0 {
		p.print("no packs: \"extends\" names none of a git repository; to add one, run: rulecheck packs add URL\n")
		return nil
	}
	next := pack.Lock{}
	var errs []error
	for _, each := range list {
		content, fetched, err := o.Fetch(ctx, each.Ref)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", each.Ref, err))
			continue
		case each.Digest != "" && each.Digest != content.Digest():
			errs = append(errs, fmt.Errorf("%s: has the digest %s, and %s has %s; restore that file", each.Ref, content.Digest(), pack.LockFile, each.Digest))
			continue
		case fetched:
			p.print("%s: fetched\n", plain.Line(each.String()))
		default:
			p.print("%s: in the cache\n", plain.Line(each.String()))
		}
		each.Digest = content.Digest()
		if slices.Contains(o.refs, each.Ref) {
			next.Packs = append(next.Packs, each)
		}
	}
	if len(errs) > 0 {
		return evaluationError{errors.Join(errs...)}
	}
	if len(o.refs) == 0 || slices.Equal(o.written, next.Packs) {
		return nil
	}
	if err := p.replaceFile(o.root, pack.LockFile, next.Encode()); err != nil {
		return err
	}
	p.print("%s: written\n", pack.LockFile)
	return nil
}

// replaceFile replaces a file of the repository that is, if it exists, a regular one.
func (p *process) replaceFile(root, name string, text []byte) error {
	file := filepath.Join(root, filepath.FromSlash(name))
	if info, err := os.Lstat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return evaluationError{fmt.Errorf("%s is no directory", filepath.Dir(name))}
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return evaluationError{fmt.Errorf("%s is no regular file; remove it", name)}
	}
	if err := atomicfile.Write(file, text); err != nil {
		return evaluationError{err}
	}
	return nil
}

func newPacksVerify(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Verify the packs in the cache",
		Long: `Verify that the cache has each pack, that its content has the pinned commit id and
the digest in .rulecheck/packs.lock, and with RULECHECK_PACK_SIGNERS that an allowed
signer signed its commit. No server is reached.`,
		Example: `  rulecheck packs verify`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := p.openPacks(cmd)
			if err != nil {
				return err
			}
			var errs []error
			for _, each := range o.all() {
				_, err := o.Open(cmd.Context(), each.Ref, each.Digest)
				if err == nil && each.Digest == "" && slices.Contains(o.refs, each.Ref) {
					err = fmt.Errorf("%s does not have it; %s", pack.LockFile, pack.NextFetch)
				}
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", each.Ref, err))
					continue
				}
				signed := plain.Text("")
				if o.Verify != nil {
					signed = ", signed"
				}
				p.print("%s: verified%s\n", plain.Line(each.String()), signed)
			}
			if len(errs) > 0 {
				return evaluationError{errors.Join(errs...)}
			}
			return nil
		},
	}
}

func newPacksList(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the packs, and whether the cache has them",
		Example: `  rulecheck packs list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := p.openPacks(cmd)
			if err != nil {
				return err
			}
			var rows [][]plain.Text
			for _, each := range o.all() {
				state, owner := plain.Text("in the cache"), plain.Text("extends")
				if _, err := o.Store.Open(each.Ref, each.Digest); errors.Is(err, pack.ErrMissing) {
					state = "not fetched"
				} else if err != nil {
					state = "damaged"
				}
				if !slices.Contains(o.refs, each.Ref) {
					owner = "organization"
				}
				rows = append(rows, []plain.Text{plain.Line(each.Git), plain.Line(each.Rev), plain.Line(each.Dir()), owner, state})
			}
			p.print("%s", wrap.Table(rows, p.width))
			return nil
		},
	}
}
