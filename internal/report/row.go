package report

import (
	"encoding/json"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// Row is a report from which every format can be written again. Its JSON form is the row
// format. It leaves out the changed files, which are many and in no other format but json,
// and timelines. Bytes of paths that are no text are as the json format writes them.
type Row struct {
	Report      *Report       `json:"report"`
	Repository  string        `json:"repository,omitempty"`
	Branch      string        `json:"branch,omitempty"`
	ToolVersion string        `json:"tool_version,omitempty"`
	FailOn      finding.Level `json:"fail_on,omitempty"`
	Inside      *Inside       `json:"inside,omitempty"`
	Rules       []Rule        `json:"rules,omitempty"`
	Details     []rowDetail   `json:"details,omitempty"`  // of each finding, in their order
	Verdicts    [][]rowResult `json:"verdicts,omitempty"` // of each session, in their order
}

// rowResult is the result of a rule on a visit, with the visit.
type rowResult struct {
	VisitResult

	Visit int `json:"visit"`
}

// rowDetail has of a finding what the json format leaves out.
type rowDetail struct {
	Body     string     `json:"body"`
	LineHash string     `json:"line_hash"`
	Title    string     `json:"title"`
	Log      fact.Place `json:"log,omitzero"`
}

// NewRow returns the row of a report.
func NewRow(r *Report) Row {
	c := *r
	c.Changes = map[string][]diff.Change{}
	c.Summary = r.FullSummary()
	row := Row{Report: &c, Repository: r.Repository, Branch: r.Branch, ToolVersion: r.ToolVersion, FailOn: r.FailOn, Inside: r.Inside}
	for _, of := range r.Rules {
		of.Tags = append([]string{}, of.Tags...) // never null
		row.Rules = append(row.Rules, of)
	}
	for _, f := range r.Findings {
		row.Details = append(row.Details, detailOf(f))
	}
	for _, of := range r.Sessions {
		results := make([]rowResult, 0, len(of.Verdicts))
		for _, v := range of.Verdicts {
			results = append(results, rowResult{v, v.Visit})
		}
		row.Verdicts = append(row.Verdicts, results)
	}
	return row
}

// ReadRow returns the report of a row.
func ReadRow(text []byte) (*Report, error) {
	var row Row
	if err := json.Unmarshal(text, &row); err != nil {
		return nil, err
	}
	r := row.Report
	if r == nil || r.Version != Version || len(row.Details) != len(r.Findings) || len(row.Verdicts) != len(r.Sessions) {
		return nil, fmt.Errorf("no report of version %d, or not a whole one", Version)
	}
	r.Repository, r.Branch, r.ToolVersion, r.FailOn = row.Repository, row.Branch, row.ToolVersion, row.FailOn
	r.Rules, r.Inside = row.Rules, row.Inside
	for i, detail := range row.Details {
		detail.addTo(&r.Findings[i])
	}
	for i, results := range row.Verdicts {
		for _, of := range results {
			of.VisitResult.Visit = of.Visit
			r.Sessions[i].Verdicts = append(r.Sessions[i].Verdicts, of.VisitResult)
		}
	}
	return r, nil
}

// RowHead is the part of a row that does not grow with its findings.
type RowHead struct {
	Rules    []Rule
	Sessions int
}

// ReadRowHead returns the head of a row.
func ReadRowHead(text []byte) (h RowHead, err error) {
	var row struct {
		Rules    []Rule            `json:"rules"`
		Verdicts []json.RawMessage `json:"verdicts"`
	}
	err = json.Unmarshal(text, &row)
	return RowHead{row.Rules, len(row.Verdicts)}, err
}

// rowFinding is a finding with all its fields.
type rowFinding struct {
	Finding finding.Finding `json:"finding"`
	Detail  rowDetail       `json:"detail"`
}

// MarshalFinding returns one line of JSON, which ReadFinding reads.
func MarshalFinding(f finding.Finding) ([]byte, error) {
	text, err := json.Marshal(rowFinding{f, detailOf(f)})
	return append(text, '\n'), err
}

// ReadFinding reads what MarshalFinding returned.
func ReadFinding(line []byte) (finding.Finding, error) {
	var read rowFinding
	err := json.Unmarshal(line, &read)
	read.Detail.addTo(&read.Finding)
	return read.Finding, err
}

func detailOf(f finding.Finding) rowDetail {
	detail := rowDetail{Body: f.Body, LineHash: f.LineHash}
	if f.Session != nil {
		detail.Title, detail.Log = f.Session.Title, f.Session.Log
	}
	return detail
}

func (d rowDetail) addTo(f *finding.Finding) {
	f.Body, f.LineHash = d.Body, d.LineHash
	if f.Session != nil {
		f.Session.Title, f.Session.Log = d.Title, d.Log
	}
}
