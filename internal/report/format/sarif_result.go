package format

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

func resultOf(f finding.Finding) sarifResult {
	text, related := linked(f)
	result := sarifResult{
		RuleID:              ruleID(f.Rule),
		Level:               string(f.Level),
		Message:             sarifMessage{Text: text},
		Locations:           []sarifLocation{locationOf(f.Path, max(f.Line, 1))},
		RelatedLocations:    related,
		PartialFingerprints: map[string]string{"rulecheck/v1": f.Fingerprint},
		Properties:          propertiesOf(findingForJSON(f)),
	}
	if f.Column > 0 {
		result.Locations[0].PhysicalLocation.Region.StartColumn = f.Column
	}
	if f.LineHash != "" {
		result.PartialFingerprints["primaryLocationLineHash"] = f.LineHash
	}
	return result
}

func propertiesOf(f finding.Finding) *sarifProperties {
	p := sarifProperties{SessionProperties: f.SessionProperties(), TriggerFiles: f.TriggerFiles, Expected: f.Expected, Commits: f.Commits}
	if p.SessionProperties == nil && len(p.TriggerFiles) == 0 && len(p.Expected) == 0 {
		return nil
	}
	return &p
}

func suppressions(w *finding.Waiver) *[]sarifSuppression {
	if w == nil {
		return &[]sarifSuppression{}
	}
	status := "accepted"
	if w.NotHonoured != "" {
		status = "rejected"
	}
	justification := w.Reason
	if w.Source == finding.Repaired {
		justification = report.WaiverSource(w) + ": " + w.Reason
	}
	return &[]sarifSuppression{{
		Kind: "external", Status: status, Justification: plain.Line(justification),
		Properties: sarifSuppressionProperties{
			Source: plain.Line(w.Source), Commit: w.Commit, NotHonoured: plain.Line(w.NotHonoured),
		},
	}}
}

// locationOf returns the location of a line in a file of the repository or in a
// log outside it; line 0 is the whole file.
func locationOf(path string, line int) sarifLocation {
	artifact := sarifArtifact{URI: uri(path), URIBaseID: sourceRoot}
	if strings.HasPrefix(path, "/") {
		artifact = sarifArtifact{URI: "file://" + uri(path)}
	}
	l := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact}}
	if line > 0 {
		l.PhysicalLocation.Region = &sarifRegion{StartLine: line}
	}
	return l
}

// uri percent-encodes a path as a relative reference: all bytes except the slash
// and the unreserved ones of RFC 3986, so that a colon starts no scheme and bytes
// that are not UTF-8 survive.
func uri(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
