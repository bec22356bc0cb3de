package fleet

import (
	"context"

	"github.com/sourcegraph/conc/pool"
)

// Checker checks units.
type Checker interface {
	// Key returns the unit as Check wants it, and a text that is equal if the result must be.
	Key(ctx context.Context, u Unit) (Unit, string, error)
	// Check returns the exit status and the report in the row format.
	Check(ctx context.Context, u Unit) (status int, result []byte, err error)
}

// Options control a run.
type Options struct {
	Jobs     int                   // units at the same time; at least 1
	Progress func(done, total int) // called after each unit; may be nil
}

// Counts has what a run did.
type Counts struct {
	Checked int // now
	Kept    int // by an earlier run
	Failed  int // of those checked now: there is no result
	Status  int // the highest exit status of all units
}

// Run checks the units whose results the ledger does not have, and adds them. A unit without a
// result, such as one that took too long, is checked again. What is wrong
// with one unit is its row and stops no other one. It fails if it is interrupted or the ledger cannot be written.
func Run(ctx context.Context, units []Unit, checker Checker, ledger *Ledger, o Options) (Counts, error) {
	var counts Counts
	done := make(chan func(), o.Jobs)
	finished := make(chan struct{})
	go func() { // the only one that counts
		defer close(finished)
		n := 0
		for count := range done {
			count()
			if n++; o.Progress != nil {
				o.Progress(n, len(units))
			}
		}
	}()
	workers := pool.New().WithMaxGoroutines(o.Jobs).WithErrors().WithContext(ctx).WithCancelOnError()
	for _, u := range units {
		workers.Go(func(ctx context.Context) error {
			count, err := one(ctx, u, checker, ledger, &counts)
			if err == nil {
				done <- count
			}
			return err
		})
	}
	err := workers.Wait()
	close(done)
	<-finished
	return counts, err
}

// one checks a unit unless the ledger has it, and returns how to count it.
func one(ctx context.Context, u Unit, checker Checker, ledger *Ledger, counts *Counts) (func(), error) {
	resolved, row := begin(ctx, u, checker)
	if before, ok := ledger.lookup(row.Key); ok && (before.err == "" || row.Error != "") {
		return func() {
			counts.Kept++
			counts.Status = max(counts.Status, before.status)
		}, nil
	}
	if row.Error == "" {
		var err error
		if row.Status, row.Result, err = checker.Check(ctx, resolved); err != nil {
			row.Status, row.Result, row.Error = statusNotEvaluated, nil, err.Error()
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // the unit is as if it had not been begun
	}
	return func() {
		counts.Checked++
		counts.Status = max(counts.Status, row.Status)
		if row.Error != "" {
			counts.Failed++
		}
	}, ledger.Add(row)
}

// begin returns a unit as Check wants it, and its row with its key, or with the error that
// leaves it without a key.
func begin(ctx context.Context, u Unit, checker Checker) (Unit, Row) {
	resolved, key, err := checker.Key(ctx, u)
	if err != nil {
		return u, Row{ID: u.ID, Key: failedKey(u, err.Error()), Status: statusNotEvaluated, Error: err.Error()}
	}
	return resolved, Row{ID: u.ID, Key: key}
}
