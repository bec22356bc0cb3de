package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/fleet/manifest"
	"github.com/rulecheck/rulecheck/internal/plain"
)

func newFleetManifest(p *process) *cobra.Command {
	var o manifest.Options
	var names []string
	for _, e := range manifest.Engines {
		names = append(names, e.Name)
	}
	cmd := &cobra.Command{
		Use:   "manifest " + strings.Join(names, "|"),
		Short: "Print the jobs that check a list in shards",
		Long: `manifest prints the jobs with which a scheduler checks a list in shards and merges
the ledgers: an Indexed Job of Kubernetes, a workflow of GitHub Actions, a part of
.gitlab-ci.yml, or a script that submits a job array to Slurm.

The jobs of shards succeed when their ledger is complete. The last job merges the
ledgers and has the exit status of all units.`,
		Example: `  rulecheck fleet manifest kubernetes --list /fleet/list.ndjson --image registry.example.com/rulecheck:1
  rulecheck fleet manifest github --shards 20`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			e, err := manifest.Lookup(args[0])
			if err != nil {
				return err
			}
			text, err := e.Write(o)
			if err != nil {
				return err
			}
			return plain.Fprint(p.stdout, plain.Block(text))
		},
	}
	set := cmd.Flags()
	set.IntVar(&o.Shards, "shards", 8, "divide the list into `N` parts")
	set.StringVar(&o.List, "list", "list.ndjson", "the list, at the `PATH` that the jobs see")
	set.StringVar(&o.Ledgers, "ledgers", "ledgers/", "the `DIRECTORY` of the ledgers that the jobs see, with \"/\" at its end")
	set.StringVar(&o.Image, "image", "golang:1.26", "the `IMAGE` of containers; for Kubernetes one with rulecheck and git")
	set.StringVar(&o.Claim, "claim", "rulecheck-fleet", "Kubernetes: the `CLAIM` of the volume with list, repositories and ledgers")
	return cmd
}
