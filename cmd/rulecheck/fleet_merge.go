package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/report"
)

// mergeGCPercent keeps a merge small: it reads each result anew, and holds little.
const mergeGCPercent = 50

func newFleetMerge(p *process) *cobra.Command {
	f := &checkFlags{}
	var before []string
	cmd := &cobra.Command{
		Use:   "merge LEDGER…",
		Short: "Write one report of the ledgers of all shards",
		Long: `merge writes one report of the results in the ledgers. Paths begin with the id of the
unit. The report does not depend on the number of shards or on the order in which they
ran. In a directory, merge reads the files that end in .ndjson.

The html format begins with a table of units and rules. With --before, the ledgers of
an earlier run, it shows how each number changed.

A shard whose ledger is missing, and a unit without a result, are errors.

Exit status: that of a check of all units together.`,
		Example: `  rulecheck fleet merge fleet-*.ndjson
  rulecheck fleet merge fleet-*.ndjson --format sarif=fleet.sarif --format markdown
  rulecheck fleet merge today/ --before yesterday/ --format html=fleet.html`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, ledgers []string) error {
			debug.SetGCPercent(mergeGCPercent)
			now, err := readLedgers(ledgers)
			if err != nil {
				return p.finish(nil, err, f)
			}
			rep, err := now.Report(version)
			if err == nil && len(before) > 0 {
				err = compareFleet(rep, before)
			}
			if err == nil && f.FailOn != "" {
				rep.FailOn = f.FailOn
			}
			return errors.Join(p.finish(rep, err, f), now.Close())
		},
	}
	cmd.Flags().StringSliceVar(&before, "before", nil, "compare with the `LEDGERS` of an earlier run")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print complete lists")
	f.registerOutput(cmd)
	return cmd
}

// compareFleet adds the numbers of an earlier run to a report.
func compareFleet(rep *report.Report, before []string) error {
	earlier, err := readLedgers(before)
	if err != nil {
		return err
	}
	units, err := earlier.Units()
	fleet.Compare(rep, units)
	return err
}

// readLedgers reads ledgers.
func readLedgers(ledgers []string) (*fleet.Merger, error) {
	merger := fleet.NewMerger()
	ledgers, err := ledgerFiles(ledgers)
	if err != nil {
		return nil, err
	}
	for _, name := range ledgers {
		if err := merger.Add(name, func() (io.ReadSeekCloser, error) { return openLedger(name) }); err != nil {
			return nil, err
		}
	}
	return merger, nil
}

// openLedger opens a file that is read more than once.
func openLedger(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		if of := (*fs.PathError)(nil); errors.As(err, &of) {
			err = of.Err // Merger.Add has the name
		}
		return nil, fmt.Errorf("%w; want a ledger that rulecheck fleet wrote", err)
	}
	return os.Open(name)
}

// ledgerFiles returns ledgers with each directory replaced by the files in it.
func ledgerFiles(ledgers []string) (files []string, err error) {
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
