package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/shell"
)

func newPacksAdd(p *process) *cobra.Command {
	var name, dir string
	cmd := &cobra.Command{
		Use:   "add URL",
		Short: "Add a pack to the configuration, pinned to its newest commit",
		Long: `Ask the server of the git repository at URL for the newest commit of the default
branch, or of --to, write it to "extends" of the configuration, and fetch it. URL has
one of the forms that git takes: https://HOST/PATH, ssh://git@HOST/PATH,
git@HOST:PATH, file:///PATH or a local directory.`,
		Example: `  rulecheck packs add https://example.org/rules.git
  rulecheck packs add git@example.org:team/rules.git --to v2.1.0`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("want the URL of one git repository, as in: rulecheck packs add https://example.org/rules.git")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := p.openPacks(cmd)
			if err != nil {
				return err
			}
			if o.root == "" {
				return errors.New("this is no git repository; run it in the one that is to use the pack")
			}
			url, err := packURL(args[0])
			if err != nil {
				return err
			}
			return p.addPack(cmd.Context(), o, url, name, dir)
		},
	}
	cmd.Flags().StringVar(&name, "to", "", "pin the commit of the branch or tag `NAME` (default: the default branch)")
	cmd.Flags().StringVar(&dir, "path", "", "the pack is in this `DIRECTORY` of its repository (default .rulecheck)")
	return cmd
}

// scpAddress matches the short form of an ssh address, USER@HOST:PATH.
var scpAddress = lazyregexp.New(`^([\w.-]+@[\w.-]+):/?([^/:].*)$`)

// packURL returns the URL for an address as git takes it.
func packURL(address string) (string, error) {
	if strings.Contains(address, "://") {
		return address, nil
	}
	info, err := os.Stat(address)
	if err == nil && info.IsDir() {
		absolute, err := filepath.Abs(address)
		if err != nil {
			return "", evaluationError{err}
		}
		return "file://" + filepath.ToSlash(absolute), nil
	}
	if match := scpAddress().FindStringSubmatch(address); match != nil {
		return "ssh://" + match[1] + "/" + match[2], nil
	}
	if host, _, ok := strings.Cut(address, "/"); ok && strings.Contains(strings.Trim(host, "."), ".") {
		return "", fmt.Errorf("%q is neither a URL nor a directory; did you mean \"https://%s\"?", address, address)
	}
	return "", fmt.Errorf("%q is neither a URL nor a directory; want https://HOST/PATH, ssh://git@HOST/PATH, git@HOST:PATH, file:///PATH or a directory", address)
}

// addPack writes a pack to the configuration and fetches it; if that fails, the configuration is
// as it was.
func (p *process) addPack(ctx context.Context, o *openedPacks, url, name, dir string) error {
	rev, _, err := o.Resolve(ctx, url, name)
	if err != nil {
		return evaluationError{fmt.Errorf("%w; check the address, and your access to it, with: git ls-remote %s", err, shell.Line(url))}
	}
	ref := pack.Ref{Git: url, Rev: rev, Path: dir}
	if err := ref.Check(); err != nil {
		return err
	}
	if slices.ContainsFunc(o.refs, func(r pack.Ref) bool { return r.Git == ref.Git && r.Dir() == ref.Dir() }) {
		return fmt.Errorf("%q has %s already; to pin its newest commit, run: rulecheck packs update --git %s", "extends", url, url)
	}
	before, err := regular.ReadFS(regular.DirFS(o.root), setup.ConfigFile, regular.Text)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return evaluationError{err}
	}
	if err := os.MkdirAll(filepath.Join(o.root, filepath.FromSlash(setup.Dir)), 0o755); err != nil { //nolint:gosec // as git creates directories
		return evaluationError{err}
	}
	entry := fmt.Sprintf("{git: %q, rev: %q}", ref.Git, ref.Rev)
	if dir != "" {
		entry = fmt.Sprintf("{git: %q, rev: %q, path: %q}", ref.Git, ref.Rev, dir)
	}
	if err := p.replaceFile(o.root, setup.ConfigFile, []byte(extended(string(before), entry))); err != nil {
		return err
	}
	undo := func(cause error) error {
		if missing {
			return errors.Join(cause, os.Remove(filepath.Join(o.root, filepath.FromSlash(setup.ConfigFile))))
		}
		return errors.Join(cause, p.replaceFile(o.root, setup.ConfigFile, before))
	}
	if _, refs, err := p.configuredPacks(ctx); err != nil || !slices.Contains(refs, ref) {
		return undo(fmt.Errorf("\"extends\" in %s has a form that this command does not write; add this entry to it, and run rulecheck packs fetch: %s", setup.ConfigFile, entry))
	}
	o.refs = append(o.refs, ref)
	o.lock.Packs = append(o.lock.Packs, pack.Locked{Ref: ref, Name: name})
	if err := p.fetchPacks(ctx, o); err != nil {
		return undo(err)
	}
	p.prose("%s: %s pinned to %s; commit it and %s\n", setup.ConfigFile, plain.Line(url), plain.Line(rev), pack.LockFile)
	return nil
}

// extendsLine matches the key in a configuration: its value on the line, and the first entry of a
// list below it.
var extendsLine = lazyregexp.New(`(?m)^extends:[ \t]*([^#\n]*?)[ \t]*(#.*)?$(\n([ \t]*)- )?`)

// extended returns the text of a configuration with one more entry in "extends".
func extended(text, entry string) string {
	at := extendsLine().FindStringSubmatchIndex(text)
	if at == nil {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text + "extends:\n  - " + entry + "\n"
	}
	value := text[at[2]:at[3]]
	flow, isFlow := strings.CutSuffix(value, "]")
	switch {
	case value == "" && at[6] >= 0: // a list below it
		indent := text[at[8]:at[9]]
		return text[:at[6]] + "\n" + indent + "- " + entry + text[at[6]:]
	case value == "":
		return text[:at[3]] + " [" + entry + "]" + text[at[3]:]
	case isFlow && strings.TrimSpace(flow) == "[":
		return text[:at[2]] + "[" + entry + "]" + text[at[3]:]
	case isFlow:
		return text[:at[2]] + flow + ", " + entry + "]" + text[at[3]:]
	default:
		return text[:at[2]] + "[" + value + ", " + entry + "]" + text[at[3]:]
	}
}
