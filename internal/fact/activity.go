package fact

// Activity holds the figures of a session, or of a part of it. Each call counts once, those
// of subagents included.
type Activity struct {
	Prompts  int            `json:"prompts"`
	Commands []CommandCount `json:"commands"` // by name, the most frequent first
	Edits    []FileCount    `json:"edits"`    // by path, the most edited first
	Tools    []ToolCount    `json:"tools"`    // of all kinds, the most frequent first

	Total     CallTotals     `json:"total"`
	Subagents *SubagentShare `json:"subagents,omitempty"` // nil: no subagent did anything
	ExitCodes map[int]int    `json:"exit_codes,omitempty"`

	// APICalls is the number of calls of the model; nil: unknown.
	APICalls *int       `json:"api_calls,omitempty"`
	Models   []ModelUse `json:"models"`
	// Commits is the number of commands that made a commit; nil: the outcome of one is unknown.
	Commits     *int `json:"commits,omitempty"`
	Compactions *int `json:"compactions,omitempty"` // nil: unknown
	Interrupts  *int `json:"interrupts,omitempty"`  // nil: unknown
}

// CallTotals are the outcomes of calls by what they do. An edit of several files counts once
// for each of them.
type CallTotals struct {
	Commands Outcomes `json:"commands"`
	Edits    Outcomes `json:"edits"`
	Reads    Outcomes `json:"reads"`
	MCP      Outcomes `json:"mcp"`
	Other    Outcomes `json:"other"`
}

// Outcomes counts calls by their outcome.
type Outcomes struct {
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Rejected  int `json:"rejected"`
	Running   int `json:"running"` // without a result in the log
	Unknown   int `json:"unknown"` // with a result that does not name the outcome
}

// CommandCount holds the outcomes of the command lines that ran a program. A line with several
// programs counts for each of them.
type CommandCount struct {
	Name string `json:"name"` // of the program, with its subcommand: "git commit"
	Outcomes
}

// FileCount holds the outcomes of the edits of a file.
type FileCount struct {
	Path  string         `json:"path"` // relative to the project
	Tools map[string]int `json:"tools"`
	Outcomes
}

// ToolCount holds the outcomes of the calls of a tool.
type ToolCount struct {
	Name string `json:"name"` // the agent's own name
	Kind Kind   `json:"kind"`
	Outcomes
}

// SubagentShare is the part of subagents.
type SubagentShare struct {
	Calls    int        `json:"calls"`               // of tools
	APICalls *int       `json:"api_calls,omitempty"` // nil: unknown
	Tokens   TokenCount `json:"tokens"`
}

// ModelUse holds the use of a model. The name is empty for answers that do not state it.
type ModelUse struct {
	Name     string     `json:"name"`
	APICalls *int       `json:"api_calls,omitempty"` // nil: unknown
	Tokens   TokenCount `json:"tokens"`
}

// Add adds a call that counts n times.
func (o *Outcomes) Add(status Status, n int) {
	switch status {
	case OK:
		o.Succeeded += n
	case Error:
		o.Failed += n
	case Rejected:
		o.Rejected += n
	case Running:
		o.Running += n
	default:
		o.Unknown += n
	}
}

// All returns the number of calls.
func (o Outcomes) All() int { return o.Succeeded + o.Failed + o.Rejected + o.Running + o.Unknown }

// Of returns the outcomes of a kind of calls.
func (t *CallTotals) Of(kind Kind) *Outcomes {
	switch kind {
	case Command:
		return &t.Commands
	case FileEdit:
		return &t.Edits
	case Read:
		return &t.Reads
	case MCP:
		return &t.MCP
	default:
		return &t.Other
	}
}
