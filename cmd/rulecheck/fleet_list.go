package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/fleet/list"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newFleetList(p *process) *cobra.Command {
	var o list.Options
	var logs bool
	var depth int
	cmd := &cobra.Command{
		Use:   "list SOURCE",
		Short: "List repositories or logs for rulecheck fleet",
		Long: `list prints a list for rulecheck fleet --list. The SOURCE is

- a directory: the repositories below it, bare or with a working tree
- with --logs, a directory: its subdirectories, each with the logs of one user or machine;
  forks and subagents find only sessions in the same one
- a file with what the API of GitHub, GitLab, Gitea or Bitbucket exports as JSON, or "-"
  for standard input: a clone of each repository in the directory --clones
- the output of git ls-remote: its refs, as units of the repository --git-dir

An id is the path or ref; characters that are not allowed in an id become %XX.`,
		Example: `  rulecheck fleet list /srv/git
  rulecheck fleet list --logs /srv/logs
  rulecheck fleet list --clones /srv/git repos.json    from: gh api --paginate orgs/acme/repos
  rulecheck fleet list --git-dir . --from main refs    from: git ls-remote --heads origin`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := os.Stat(args[0])
			var units []fleet.Unit
			switch {
			case args[0] == "-":
				units, err = p.readExport(p.stdin, "standard input", o)
			case err != nil:
				return fmt.Errorf("%w; want a directory, a file, or \"-\" for standard input", err)
			case info.IsDir() && logs:
				units, err = list.LogRoots(cmd.Context(), args[0], depth)
			case info.IsDir():
				units, err = list.Repositories(cmd.Context(), args[0])
			default:
				units, err = p.readExportFile(args[0], o)
			}
			if err != nil {
				return err
			}
			return p.printUnits(units)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&logs, "logs", false, "list directories of agent logs")
	set.IntVar(&depth, "depth", 1, "with --logs, list the directories `N` levels below; 0 is the directory itself")
	set.StringVar(&o.Clones, "clones", "", "the `DIRECTORY` with the clones of an export, each at its full name with .git")
	set.BoolVar(&o.Archived, "archived", false, "list archived repositories of an export, too")
	set.StringVar(&o.GitDir, "git-dir", "", "the repository whose refs git ls-remote printed, at `PATH`")
	set.StringVar(&o.From, "from", "", "compare each ref with the commit `REF` (default: its first parent)")
	return cmd
}

func (p *process) readExportFile(name string, o list.Options) ([]fleet.Unit, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return p.readExport(file, name, o)
}

func (p *process) readExport(from io.Reader, name string, o list.Options) ([]fleet.Unit, error) {
	units, skipped, err := list.Read(from, name, o)
	if err == nil && skipped > 0 {
		_ = plain.Fprintf(p.stderr, "not listed: %s, empty or archived\n", report.Count(skipped, "repository"))
	}
	return units, err
}

// printUnits prints units as rows of a list.
func (p *process) printUnits(units []fleet.Unit) error {
	var text []byte
	for _, u := range units {
		row, err := json.Marshal(u)
		if err != nil {
			return err
		}
		text = append(append(text, row...), '\n')
	}
	if _, err := fleet.ReadList(bytes.NewReader(text), "the list"); err != nil {
		return errors.Join(errors.New("the list would not be valid"), err)
	}
	for _, u := range units {
		if err := plain.WriteJSONLine(p.stdout, u); err != nil {
			return err
		}
	}
	return nil
}
