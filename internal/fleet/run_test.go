package fleet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// checker answers for units from their ids, and counts how often each was checked to the end.
type checker struct {
	mutex   sync.Mutex
	checked map[string]int
	left    int // checks until the run is interrupted; below 0: it never is
	stop    context.CancelFunc
}

func (j *checker) Key(_ context.Context, u fleet.Unit) (fleet.Unit, string, error) {
	if strings.HasPrefix(u.ID, "x") {
		return u, "", errors.New("cannot be read")
	}
	return u, "key of " + u.ID, nil
}

func (j *checker) Check(_ context.Context, u fleet.Unit) (int, []byte, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.left == 0 {
		j.stop()
		return 0, nil, errors.New("interrupted")
	}
	j.left--
	j.checked[u.ID]++
	if strings.HasPrefix(u.ID, "h") {
		return 0, nil, errors.New("took too long")
	}
	r := reportOf(u.ID)
	row, err := json.Marshal(report.NewRow(r))
	return r.Status(r.FailOn), row, err
}

// reportOf makes the report of a unit: its rules depend on the first letter of its id.
func reportOf(id string) *report.Report {
	r := &report.Report{Version: report.Version, Command: "check", ToolVersion: "1.0"}
	r.Rules = []report.Rule{{Info: rule.Info{ID: "tests", Name: "Tests", Mode: "set", Level: finding.Error, Body: "Body of " + id[:1] + "."}}}
	for i := range len(id) % 3 {
		r.Findings = append(r.Findings, finding.Finding{
			Rule: "tests", Name: "Tests", Mode: "set", Level: finding.Error, Path: "a.py", Line: i + 1, Fingerprint: strconv.Itoa(i), Body: r.Rules[0].Body,
		})
	}
	r.Summary.Changes = len(id)
	r.CountFindings()
	return r
}

// TestShardsMerge checks random lists in random shards, interrupted and resumed at random and
// with lines cut short as by a kill: the report is that of one uninterrupted run, and no unit
// was checked twice but those whose row was lost, and those in flight at an interruption.
func TestShardsMerge(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		var list []fleet.Unit
		for _, id := range rapid.SliceOfNDistinct(rapid.StringMatching(`[abhx][a-z]{0,5}`), 1, 12, rapid.ID).Draw(t, "ids") {
			list = append(list, fleet.Unit{ID: id, GitDir: id})
		}
		want := merged(t, [][]byte{ledgerOf(t, list, fleet.Whole, -1, 0)})
		count := rapid.IntRange(1, 3).Draw(t, "shards")
		var ledgers [][]byte
		for i := range count {
			left, cut := rapid.IntRange(-1, 5).Draw(t, "interrupted after"), rapid.IntRange(0, 40).Draw(t, "cut")
			ledgers = append(ledgers, ledgerOf(t, list, fleet.Shard{Index: i + 1, Count: count}, left, cut))
		}
		if got := merged(t, rapid.Permutation(ledgers).Draw(t, "order")); got != want {
			t.Fatalf("%d shards make another report:\n%s\nwant\n%s", count, got, want)
		}
	})
}

// jobs is how many units are checked at the same time.
const jobs = 3

// ledgerOf checks a shard, if left is not below 0 interrupted after as many units and with the
// last bytes cut off, and then to the end.
func ledgerOf(t failer, list []fleet.Unit, s fleet.Shard, left, cut int) []byte {
	dir, err := os.MkdirTemp("", "fleet")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "ledger")
	j := &checker{checked: map[string]int{}, left: left}
	if left >= 0 {
		_ = runOnce(t, file, list, s, j) // interrupted, or done before
		if info, err := os.Stat(file); err == nil {
			_ = os.Truncate(file, max(0, info.Size()-int64(cut)))
		}
	}
	before := maps.Clone(j.checked)
	j.left = -1
	if err := runOnce(t, file, list, s, j); err != nil {
		t.Fatal(err)
	}
	lost := 0
	for id, n := range j.checked {
		if n > 1 && !strings.HasPrefix(id, "h") { // a unit without a result is checked again
			lost += n - before[id]
		}
	}
	inFlight := 0 // those that other workers had just checked when the run was interrupted
	if left >= 0 {
		inFlight = jobs - 1
	}
	if lost > cut+inFlight { // a row is longer than a byte
		t.Fatalf("%d units were checked again after %d bytes were lost", lost, cut)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if rows := bytes.Count(text, []byte("\n")) - 1; rows != len(s.Units(list)) {
		t.Fatalf("%d rows of %d units:\n%s", rows, len(s.Units(list)), text)
	}
	return text
}

func runOnce(t failer, file string, list []fleet.Unit, s fleet.Shard, j *checker) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	j.stop = stop
	ledger, err := fleet.OpenLedger(file, list, s)
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	_, err = fleet.Run(ctx, s.Units(list), j, ledger, fleet.Options{Jobs: jobs})
	return err
}

// merged returns the merged report of ledgers as JSON.
func merged(t failer, ledgers [][]byte) string {
	text, err := json.MarshalIndent(report.NewRow(merge(t, ledgers)), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func merge(t failer, ledgers [][]byte) *report.Report {
	m := fleet.NewMerger()
	for i, text := range ledgers {
		if err := m.Add(strconv.Itoa(i), func() (io.ReadSeekCloser, error) { return nopCloser{bytes.NewReader(text)}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	r, err := m.Report("1.0")
	if err != nil {
		t.Fatal(err)
	}
	return r.Held()
}

type nopCloser struct{ io.ReadSeeker }

func (nopCloser) Close() error { return nil }

// failer is a test, of rapid's or of the library's.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// TestRulesWithOneID checks that rules that differ between repositories do not mix.
func TestRulesWithOneID(t *testing.T) {
	list := []fleet.Unit{{ID: "a1", GitDir: "x"}, {ID: "a2", GitDir: "x"}, {ID: "b1", GitDir: "x"}}
	r := merge(t, [][]byte{ledgerOf(t, list, fleet.Whole, -1, 0)})
	var ids []string
	for _, of := range r.Rules {
		ids = append(ids, of.ID)
	}
	if want := []string{"tests", "tests@b1"}; !slices.Equal(ids, want) {
		t.Fatalf("rules %q; want %q", ids, want)
	}
	for _, f := range r.Findings {
		if want := map[bool]string{true: "tests@b1", false: "tests"}[strings.HasPrefix(f.Path, "b1/")]; f.Rule != want {
			t.Errorf("%s: rule %s; want %s", f.Path, f.Rule, want)
		}
	}
}

// TestLedgerHasOneWriter checks that two processes do not write one ledger.
func TestLedgerHasOneWriter(t *testing.T) {
	list := []fleet.Unit{{ID: "a", GitDir: "a"}}
	file := filepath.Join(t.TempDir(), "ledger")
	first, err := fleet.OpenLedger(file, list, fleet.Whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fleet.OpenLedger(file, list, fleet.Whole); err == nil || !strings.Contains(err.Error(), "another process writes this ledger") {
		t.Errorf("a second writer: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := fleet.OpenLedger(file, list, fleet.Whole)
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Close()
}
