package format

import (
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// The subset of SARIF 2.1.0 that rulecheck writes. Section numbers refer to the
// OASIS standard; empty optional lists are omitted.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct { // 3.14
	Tool               sarifTool                `json:"tool"`
	AutomationDetails  sarifAutomation          `json:"automationDetails"`
	Invocations        []sarifInvocation        `json:"invocations"`
	OriginalURIBaseIDs map[string]sarifArtifact `json:"originalUriBaseIds"`
	ColumnKind         string                   `json:"columnKind"`
	Results            []sarifResult            `json:"results"`
	Properties         sarifRunProperties       `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct { // 3.19
	Name           string            `json:"name"`
	Version        string            `json:"version"`
	InformationURI string            `json:"informationUri"`
	Rules          []sarifDescriptor `json:"rules"`
}

type sarifDescriptor struct { // 3.49
	ID                   string              `json:"id"`
	Name                 plain.Text          `json:"name,omitempty"`
	ShortDescription     sarifMessage        `json:"shortDescription"`
	FullDescription      sarifMessage        `json:"fullDescription"`
	Help                 sarifMessage        `json:"help"`
	HelpURI              string              `json:"helpUri,omitempty"`
	DefaultConfiguration sarifConfiguration  `json:"defaultConfiguration"`
	Properties           sarifRuleProperties `json:"properties"`
}

type sarifMessage struct { // 3.11 and 3.12
	Text     sarifText     `json:"text"`
	Markdown markdown.Text `json:"markdown,omitempty"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct { // read by GitHub
	Tags            []string `json:"tags,omitempty"`
	Precision       string   `json:"precision"`
	ProblemSeverity string   `json:"problem.severity"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct { // 3.20
	ExecutionSuccessful            bool                `json:"executionSuccessful"`
	ToolExecutionNotifications     []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	ToolConfigurationNotifications []sarifNotification `json:"toolConfigurationNotifications,omitempty"`
}

type sarifNotification struct { // 3.58
	Descriptor *sarifReference `json:"descriptor,omitempty"`
	Level      string          `json:"level"`
	Message    sarifMessage    `json:"message"`
	Locations  []sarifLocation `json:"locations,omitempty"`
}

type sarifReference struct {
	ID string `json:"id"`
}

type sarifResult struct { // 3.27
	RuleID              string              `json:"ruleId"`
	RuleIndex           int                 `json:"ruleIndex"`
	Level               string              `json:"level"`
	Message             sarifMessage        `json:"message"`
	Locations           []sarifLocation     `json:"locations"`
	RelatedLocations    []sarifLocation     `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string   `json:"partialFingerprints"`
	Suppressions        *[]sarifSuppression `json:"suppressions,omitempty"` // nil: omitted
	Properties          *sarifProperties    `json:"properties,omitempty"`
}

// sarifProperties has the whole lists; the message names the first entries.
type sarifProperties struct {
	*finding.SessionProperties

	TriggerFiles []string `json:"trigger_files,omitempty"`
	Expected     []string `json:"expected,omitempty"`
	Commits      []string `json:"commits,omitempty"`
}

type sarifLocation struct { // 3.28
	ID               int           `json:"id,omitempty"` // from 1
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI         string        `json:"uri,omitempty"`
	URIBaseID   string        `json:"uriBaseId,omitempty"`
	Description *sarifMessage `json:"description,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifSuppression struct { // 3.35
	Kind          string                     `json:"kind"`
	Status        string                     `json:"status"`
	Justification plain.Text                 `json:"justification"`
	Properties    sarifSuppressionProperties `json:"properties"`
}

type sarifSuppressionProperties struct {
	Source plain.Text `json:"source"`
	Commit string     `json:"commit,omitempty"`
	// NotHonoured is the reason for a rejected suppression.
	NotHonoured plain.Text `json:"notHonoured,omitempty"`
}

type sarifRunProperties struct {
	RulesFrom string            `json:"rulesFrom"`
	Baselines []report.Baseline `json:"baselines"`
	Summary   report.Summary    `json:"summary"`
	Sandbox   string            `json:"sandbox,omitempty"`

	Stack []report.StackCommit `json:"stack,omitempty"`
}
