package fleet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// Command is the command of a merged report.
const Command = "fleet"

// merged is the source of a merged report.
type merged struct {
	*Merger

	tally report.Tally
	err   error
}

func (m *merged) Tally() report.Tally { return m.tally }

func (m *merged) Err() error { return m.err }

func (m *merged) Findings() iter.Seq[finding.Finding] {
	return m.sorter.each(func(err error) { m.err = err })
}

func (m *merged) Parts() iter.Seq[*report.Report] {
	return func(yield func(*report.Report) bool) {
		for _, id := range m.ids() {
			if !m.rows[id].sessions {
				continue
			}
			part, err := m.read(id)
			if err != nil {
				m.err = err
				return
			}
			if !yield(part) {
				return
			}
		}
	}
}

func (m *Merger) ids() []string { return slices.Sorted(maps.Keys(m.rows)) }

// Report merges the results into one report, the same for every order of ledgers and every
// number of shards. Paths begin with the unit's id. It can be written until Close.
func (m *Merger) Report(version string) (*report.Report, error) {
	from := &merged{Merger: m, tally: report.NewTally(nil, nil)}
	all := &report.Report{
		Version: report.Version, Command: Command, ToolVersion: version, RulesFrom: "each repository", Source: from,
		Baselines: []report.Baseline{}, Changes: map[string][]diff.Change{}, Rules: m.nameRules(), Errors: m.missing(),
	}
	results := 0
	for _, id := range m.ids() {
		row := m.rows[id]
		if row.err != "" {
			all.Errors = append(all.Errors, notEvaluated(id+": "+row.err))
			all.Units = append(all.Units, unitOf(id, row, nil))
			continue
		}
		one, err := m.read(id)
		if err != nil {
			return nil, err
		}
		add(all, one)
		all.Units = append(all.Units, unitOf(id, row, one))
		from.tally.Add(one.Findings, one.Sessions)
		if err := m.sorter.add(one.Findings, row.size); err != nil {
			return nil, err
		}
		results++
	}
	all.Summary.Rules = len(all.Rules)
	all.Notices = append(all.Notices, fmt.Sprintf("%s: %d with a result, %d without", report.Count(len(m.rows), "unit"), results, len(m.rows)-results))
	return all, m.sorter.finish()
}

// Units returns the units of a merged report.
func (m *Merger) Units() (units []report.Unit, err error) {
	m.nameRules()
	for _, id := range m.ids() {
		row := m.rows[id]
		var one *report.Report
		if row.err == "" {
			if one, err = m.read(id); err != nil {
				return nil, err
			}
		}
		units = append(units, unitOf(id, row, one))
	}
	return units, nil
}

// nameRules gives the rules of all units their ids.
func (m *Merger) nameRules() []report.Rule {
	if m.named == nil {
		for _, id := range m.ids() {
			m.rows[id].rules.count(id)
		}
		m.named = m.rules.name()
	}
	return m.named
}

// unitOf sums up the report of a unit; nil: there is none.
func unitOf(id string, row entry, one *report.Report) report.Unit {
	unit := report.Unit{ID: id, Exit: row.status, Findings: map[string]int{}}
	if one == nil {
		return unit
	}
	for _, f := range one.Findings {
		if !f.Waived() {
			unit.Findings[f.Rule]++
		}
	}
	return unit
}

// Compare adds to each unit of a merged report the findings that it had before.
func Compare(now *report.Report, before []report.Unit) {
	then := map[string]report.Unit{}
	for _, u := range before {
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

// read returns the report of a unit, with its rules, paths and problems as the merged report
// has them.
func (m *Merger) read(id string) (*report.Report, error) {
	e := m.rows[id]
	one, err := e.read(id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.ledger, err)
	}
	for i, f := range one.Findings {
		f.Rule = e.rules.id(f.Rule)
		one.Findings[i] = within(id, f)
	}
	for i := range one.Sessions {
		for j, v := range one.Sessions[i].Verdicts {
			one.Sessions[i].Verdicts[j].Rule = e.rules.id(v.Rule)
		}
	}
	for i, p := range one.Errors {
		if p.File == "" {
			one.Errors[i].Message = id + ": " + p.Message
		} else {
			one.Errors[i].File = inUnit(id, p.File)
		}
	}
	return one, nil
}

// read reads a row.
func (e entry) read(id string) (*report.Report, error) {
	file, err := e.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	line := make([]byte, e.size)
	if _, err := file.Seek(e.offset, io.SeekStart); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(file, line); err != nil {
		return nil, fmt.Errorf("%w; want a ledger that does not change", err)
	}
	var row Row
	if err := json.Unmarshal(line, &row); err != nil || row.ID != id || bytes.Contains(line, []byte("\n")) {
		return nil, errors.Join(errors.New("it changed; want a ledger that does not change"), err)
	}
	one, err := report.ReadRow(row.Result)
	if err != nil {
		return nil, wrongRow(id, err)
	}
	return one, nil
}

// add adds what a merged report has of the report of a unit next to findings and sessions.
func add(all, one *report.Report) {
	one.CountFindings()
	all.Errors = append(all.Errors, one.Errors...)
	all.Diagnostics = append(all.Diagnostics, one.Diagnostics...)
	all.FailOn = strictest(all.FailOn, one.FailOn)
	s, o := &all.Summary, one.Summary
	s.Changes += o.Changes
	s.Findings += o.Findings
	s.Waived += o.Waived
	s.Known += o.Known
	s.Skipped += o.Skipped
	s.NotEvaluable += o.NotEvaluable
	s.NotRun += o.NotRun
	for why, n := range o.Unread {
		if s.Unread == nil {
			s.Unread = map[diff.Unread]int{}
		}
		s.Unread[why] += n
	}
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
