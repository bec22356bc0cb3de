package fleet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newMerge(p *Program) *cobra.Command {
	var write func(*report.Report, error) error
	var before []string
	cmd := &cobra.Command{
		Use:   "merge LEDGER…",
		Short: "Write one report of the ledgers of all shards",
		Long: `merge writes one report of the results in the ledgers. Paths begin with the id of the
unit. It is the same for every number of shards, and in whatever order they ran. Of a
directory it reads the files that end with .ndjson.

The html format begins with a table of units and rules. With --before, the ledgers of
an earlier run, it has the change of each number.

A shard whose ledger is missing, and a unit without a result, are errors.

Exit status: as of a check of all units together.`,
		Example: `  rulecheck fleet merge fleet-*.ndjson
  rulecheck fleet merge fleet-*.ndjson --format sarif=fleet.sarif --format markdown
  rulecheck fleet merge today/ --before yesterday/ --format html=fleet.html`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, ledgers []string) error {
			rep, err := p.merge(ledgers)
			if err == nil && len(before) > 0 {
				var earlier *report.Report
				if earlier, err = p.merge(before); err == nil {
					fleet.Compare(rep, earlier)
				}
			}
			return write(rep, err)
		},
	}
	cmd.Flags().StringSliceVar(&before, "before", nil, "compare with the `LEDGERS` of an earlier run")
	write = p.Reports(cmd)
	return cmd
}

func (p *Program) merge(ledgers []string) (*report.Report, error) {
	merger := fleet.NewMerger()
	ledgers, err := filesOf(ledgers)
	if err != nil {
		return nil, err
	}
	for _, name := range ledgers {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%w; want a ledger that rulecheck fleet wrote", err)
		}
		err = merger.Add(name, file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	return merger.Report(p.Version)
}

// filesOf returns ledgers with each directory replaced by the files in it.
func filesOf(ledgers []string) (files []string, err error) {
	for _, name := range ledgers {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}
		within, err := fs.Glob(os.DirFS(name), "*.ndjson")
		if err != nil {
			return nil, err
		}
		if len(within) == 0 {
			return nil, fmt.Errorf("%s: no file ends with .ndjson; want a directory with ledgers that rulecheck fleet wrote", name)
		}
		for _, file := range within {
			files = append(files, filepath.Join(name, file))
		}
	}
	return files, nil
}
