package fleet

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// Command is the command of a merged report.
const Command = "fleet"

// Merger collects the rows of ledgers.
type Merger struct {
	rows   map[string]Row    // by the unit's id
	from   map[string]string // the ledger of each row
	list   string            // digest; empty: no ledger yet
	units  map[string]int    // of each shard, by I/N
	count  string            // N
	ledger string            // the first
}

// NewMerger returns a Merger without rows.
func NewMerger() *Merger {
	return &Merger{rows: map[string]Row{}, from: map[string]string{}, units: map[string]int{}}
}

// Add reads a ledger; name is that of its file, for errors. Of several rows of a unit in one
// ledger the last one counts: its repository had changed between two runs.
func (m *Merger) Add(name string, from io.Reader) error {
	rows := map[string]Row{}
	var h *header
	err := eachLine(from, func(line []byte) error {
		if h == nil {
			read, err := readHeader(line)
			h = &read
			return err
		}
		var row Row
		if err := json.Unmarshal(line, &row); err != nil || row.ID == "" {
			return errors.Join(errors.New("a row that is none; want a ledger as rulecheck fleet wrote it"), err)
		}
		rows[row.ID] = row
		return nil
	})
	if err == nil && h == nil {
		err = errors.New("empty; want a file that rulecheck fleet wrote")
	}
	if err == nil {
		err = m.addHeader(name, *h)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for id, row := range rows {
		if other, ok := m.rows[id]; ok && other.Key != row.Key {
			return fmt.Errorf("%s: %s has another result of unit %q; want the ledgers of one run", name, m.from[id], id)
		}
		if m.rows[id].Result == nil { // the same unit may have an error in a copy of the ledger
			m.rows[id], m.from[id] = row, name
		}
	}
	return nil
}

func (m *Merger) addHeader(name string, h header) error {
	s, err := ParseShard(h.Shard)
	if err != nil {
		return err
	}
	if m.list == "" {
		m.list, m.ledger, m.count = h.List, name, strconv.Itoa(s.Count)
	}
	if m.list != h.List || m.count != strconv.Itoa(s.Count) {
		return fmt.Errorf("of another list, or divided differently, than %s; want the ledgers of one run", m.ledger)
	}
	m.units[h.Shard] = h.Units
	return nil
}

// missing lists what the ledgers do not have: a unit without a result is not clean.
func (m *Merger) missing() []finding.Problem {
	if m.list == "" {
		return nil
	}
	var problems []finding.Problem
	s, _ := ParseShard("1/" + m.count) // as addHeader read it
	want, lost := 0, 0
	for i := range s.Count {
		units, ok := m.units[Shard{i + 1, s.Count}.String()]
		if want += units; !ok {
			lost++
		}
	}
	if lost > 0 {
		problems = append(problems, notEvaluated(fmt.Sprintf("the ledgers of %s of %d are missing; want those of all shards", report.Count(lost, "shard"), s.Count)))
	}
	if n := want - len(m.rows); n > 0 {
		problems = append(problems, notEvaluated(report.Count(n, "unit")+" of the list without a result; run rulecheck fleet again with the same list and ledgers"))
	}
	return problems
}

func notEvaluated(message string) finding.Problem {
	return finding.Problem{Code: report.NotEvaluated, Message: message}
}

// Report merges the results into one report, the same for every order of ledgers and every
// number of shards. Paths begin with the unit's id. It ends the Merger.
func (m *Merger) Report(version string) (*report.Report, error) {
	all := &report.Report{
		Version: report.Version, Command: Command, ToolVersion: version, RulesFrom: "each repository",
		Baselines: []report.Baseline{}, Changes: map[string][]diff.Change{}, Errors: m.missing(),
	}
	reports := map[string]*report.Report{}
	rules := newRules()
	ids := slices.Sorted(maps.Keys(m.rows))
	for _, id := range ids {
		row := m.rows[id]
		if row.Error != "" {
			all.Errors = append(all.Errors, notEvaluated(id+": "+row.Error))
			continue
		}
		one, err := report.ReadRow(row.Result)
		if err != nil {
			return nil, fmt.Errorf("%s: unit %q: %w; want a ledger of this version of rulecheck", m.from[id], id, err)
		}
		rules.add(id, one)
		one.Rules, row.Result = nil, nil // thousands of units have the same ones
		reports[id], m.rows[id] = one, row
	}
	all.Rules = rules.name()
	for _, id := range ids {
		unit := report.Unit{ID: id, Exit: m.rows[id].Status, Findings: map[string]int{}}
		if one := reports[id]; one != nil {
			add(all, id, one, rules)
			for _, f := range one.Findings {
				if !f.Waived() {
					unit.Findings[rules.id(id, f.Rule)]++
				}
			}
		}
		all.Units = append(all.Units, unit)
	}
	all.Summary.Rules = len(all.Rules)
	all.Notices = append(all.Notices, fmt.Sprintf("%s: %d with a result, %d without", report.Count(len(ids), "unit"), len(reports), len(ids)-len(reports)))
	finding.Sort(all.Findings)
	all.CountFindings()
	return all, nil
}

// Compare adds to each unit of a merged report the findings that an earlier one had.
func Compare(now, before *report.Report) {
	then := map[string]report.Unit{}
	for _, u := range before.Units {
		if u.Exit <= statusFindings {
			then[u.ID] = u
		}
	}
	for i, u := range now.Units {
		if earlier, ok := then[u.ID]; ok {
			now.Units[i].Before = earlier.Findings
		}
	}
}

// add adds the report of a unit.
func add(all *report.Report, id string, one *report.Report, rules *rules) {
	for _, f := range one.Findings {
		f.Rule = rules.id(id, f.Rule)
		all.Findings = append(all.Findings, within(id, f))
	}
	for _, p := range one.Errors {
		if p.File == "" {
			p.Message = id + ": " + p.Message
		} else {
			p.File = inUnit(id, p.File)
		}
		all.Errors = append(all.Errors, p)
	}
	all.Diagnostics = append(all.Diagnostics, one.Diagnostics...)
	all.Sessions = append(all.Sessions, one.Sessions...)
	all.FailOn = strictest(all.FailOn, one.FailOn)
	s, o := &all.Summary, one.Summary
	s.Changes += o.Changes
	s.Skipped += o.Skipped
	s.NotEvaluable += o.NotEvaluable
	s.NotRun += o.NotRun
}

// within returns a finding of a unit as the merged report has it.
func within(id string, f finding.Finding) finding.Finding {
	f.Path = inUnit(id, f.Path)
	f.TriggerFiles, f.Expected = inUnits(id, f.TriggerFiles), inUnits(id, f.Expected)
	f.Related = slices.Clone(f.Related)
	for i := range f.Related {
		f.Related[i].Path = inUnit(id, f.Related[i].Path)
	}
	f.Fingerprint = digest([]string{id, f.Fingerprint})
	return f
}

func inUnit(id, path string) string { return id + "/" + path }

func inUnits(id string, paths []string) []string {
	all := make([]string, 0, len(paths))
	for _, path := range paths {
		all = append(all, inUnit(id, path))
	}
	return all
}

// strictest returns the less severe of two levels from which findings fail a run.
func strictest(a, b finding.Level) finding.Level {
	a, b = cmp.Or(a, finding.Error), cmp.Or(b, finding.Error)
	if a.AtLeast(b) {
		return b
	}
	return a
}
