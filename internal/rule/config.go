package rule

import (
	"errors"
	"io/fs"
	"maps"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Config is a repository's configuration with defaults filled in.
type Config struct {
	Enabled       bool               // rules.enabled; false: no rule is checked
	RulesDir      string             // rules.rules_dir, below the repository's root
	MinVersion    string             // oldest rulecheck that may run; empty: any
	DefaultBranch string             // empty: detected
	Extends       []string           // enabled packs: bundled/go, …
	Packs         []pack.Ref         // enabled packs of git repositories
	Exclude       []*pattern.Pattern // files that trigger no rule
	Sessions      []string           // paths of archived logs
	Prices        string             // a table of prices
	FailOn        finding.Level      // minimum severity that fails a run
	Jobs          int                // commands at a time; 0: one per processor
	Commands      CommandsConfig
	TrustWaivers  bool // waivers.trust: honour waivers of untrusted changes
	// OnAgentError decides about the events of agents' hooks that cannot be checked:
	// OnErrorBlock, OnErrorAllow, or empty for the default of each event.
	OnAgentError string
	// Opaque is the effect of tool rules on calls that cannot be read in full; empty: the
	// default of each agent.
	Opaque string
}

// CommandsConfig controls how the commands of rules run.
type CommandsConfig struct {
	Sandbox   string        // SandboxBestEffort, SandboxRequired or SandboxOff
	Write     []string      // additional paths they may write to
	Env       []string      // names of additional environment variables they may see
	Timeout   time.Duration // of one run, unless the rule has its own
	TrustHead bool          // run commands that an untrusted change may have written
	// SkipBinary lets a rule pass whose command does not run on a file that became binary.
	SkipBinary bool
}

// The values of commands.binary.
const (
	binaryFail = "fail"
	binarySkip = "skip"
)

// The values of commands.sandbox.
const (
	SandboxBestEffort = "best_effort"
	SandboxRequired   = "required"
	SandboxOff        = "off"
)

// The values of agents.on_error.
const (
	OnErrorBlock = "block"
	OnErrorAllow = "allow"
)

// configKeys returns the table of the configuration.
func configKeys() []Key {
	sandboxes := []string{SandboxBestEffort, SandboxRequired, SandboxOff}
	return []Key{
		{
			Param: policies.Param{Name: "agents.on_error", Type: policies.String, OneOf: []string{OnErrorBlock, OnErrorAllow}, Optional: true},
			Doc:   "Whether what an agent wants to do is blocked if it cannot be checked; unless given, tool calls are if a rule may deny them, and stops are not.",
		},
		{
			Param: policies.Param{Name: "agents.opaque", Type: policies.String, OneOf: []string{"deny", "ask", "warn", "allow"}, Optional: true},
			Doc:   "The effect of tool rules without the key opaque on calls that cannot be read in full; by default ask, or warn for an agent that cannot ask.",
		},
		{
			Param: policies.Param{Name: "commands.binary", Type: policies.String, OneOf: []string{binaryFail, binarySkip}, Default: binaryFail},
			Doc:   "Whether a rule fails if its command does not run on a file because the file became binary or is new in Git LFS.",
		},
		{
			Param: policies.Param{Name: "commands.env", Type: policies.Strings, Optional: true},
			Doc:   "Names of additional environment variables that commands may see.",
			Check: checkEnvName,
		},
		{
			Param: policies.Param{Name: "commands.sandbox", Type: policies.String, OneOf: sandboxes, Default: SandboxBestEffort},
			Doc:   "The sandbox of commands: the strongest that the system allows, one by namespaces or an error, or none.",
		},
		{
			Param: policies.Param{Name: "commands.timeout", Type: policies.Duration, Default: "60s"},
			Doc:   "How long a command may run, unless its rule has its own timeout.",
		},
		{
			Param: policies.Param{Name: "commands.trust_head", Type: policies.Boolean, Default: false},
			Doc:   "Run commands that an untrusted change may have written.",
		},
		{
			Param: policies.Param{Name: "commands.write", Type: policies.Strings, Optional: true},
			Doc:   "Additional paths that commands may write to.",
		},
		{
			Param: policies.Param{Name: "default_branch", Type: policies.String, Optional: true},
			Doc:   "The branch that changes are compared to; detected unless given.",
			Check: checkBranch,
		},
		{
			Param: policies.Param{Name: "exclude", Type: policies.Patterns, Optional: true},
			Doc:   "Files that trigger no rule.",
		},
		{
			Param:   policies.Param{Name: "extends", Type: policies.Strings, Optional: true, OneOf: Packs(), Distinct: true},
			Doc:     "Packs of rules to check too: those that come with the program, and mappings with git, rev and path for those of git repositories.",
			Mapping: packRefKeys(), Form: "{git: URL, rev: COMMIT}", Entry: checkPackRef,
		},
		{
			Param: policies.Param{Name: "fail_on", Type: policies.String, OneOf: levels(), Default: levels()[0]},
			Doc:   "The minimum severity of a finding that fails a run.",
		},
		{
			Param:   policies.Param{Name: "jobs", Type: policies.Integer, Optional: true},
			Doc:     "How many commands run in parallel; one per processor unless given.",
			Minimum: 1,
		},
		{
			Param: policies.Param{Name: "min_version", Type: policies.String, Optional: true},
			Doc:   "The oldest rulecheck that may check this repository.",
			Check: checkVersion,
		},
		{
			Param: policies.Param{Name: "prices", Type: policies.String, Optional: true},
			Doc:   "A table of the prices of models, below the repository's root; that of the program unless given.",
			Check: checkDirectory,
		},
		{
			Param: policies.Param{Name: "rules.enabled", Type: policies.Boolean, Default: true},
			Doc:   "Whether rules are checked at all.",
		},
		{
			Param: policies.Param{Name: "rules.rules_dir", Type: policies.String, Default: ".rulecheck/rules"},
			Doc:   "The directory of rules, below the repository's root.",
			Check: checkDirectory,
		},
		{
			Param: policies.Param{Name: "sessions", Type: policies.Strings, Optional: true},
			Doc:   "Log files of agents, or directories of them, below the repository's root; .rulecheck/sessions and .hegel unless given.",
			Check: checkDirectory,
		},
		{
			Param: policies.Param{Name: "waivers.trust", Type: policies.Boolean, Default: false},
			Doc:   "Honour waivers that come from an untrusted change.",
		},
	}
}

// packRefKeys returns the table of a pack of a git repository.
func packRefKeys() []Key {
	return []Key{
		{Param: policies.Param{Name: "git", Type: policies.String}, Doc: "The URL of the repository: https, ssh or file."},
		{Param: policies.Param{Name: "path", Type: policies.String, Optional: true}, Doc: "The directory of the pack in the repository; .rulecheck unless given."},
		{Param: policies.Param{Name: "rev", Type: policies.String}, Doc: "The full id of the commit."},
	}
}

func packRef(v Values) pack.Ref {
	return pack.Ref{Git: v.Text("git"), Rev: v.Text("rev"), Path: v.Text("path")}
}

func checkPackRef(v Values) error { return packRef(v).Check() }

// LoadConfig reads the configuration from file and returns every problem with it.
// Keys that are missing or wrong, or all if there is no file, have their defaults.
func LoadConfig(fsys fs.FS, file string) (Config, []finding.Problem) {
	source, err := regular.ReadFS(fsys, file, regular.Text)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return DefaultConfig(), nil
	case err != nil:
		l := &yaml.Log{File: file}
		l.Unreadable(err)
		return DefaultConfig(), l.List
	}
	return ParseConfig(file, source)
}

// ParseConfig is [LoadConfig] of the text of a file.
func ParseConfig(file string, source []byte) (Config, []finding.Problem) {
	l := &yaml.Log{File: file}
	values := Values{}
	if text, ok := yaml.Normalize(source, l); ok {
		if root := yaml.Read(text, 1, l); root != nil {
			values = Table{Keys: configKeys()}.Decode(root, yaml.Top, l)
		}
	}
	finding.SortProblems(l.List)
	maps.DeleteFunc(values, func(_ string, v Value) bool { return v.Data == nil })
	values.fill(configKeys())
	return config(values), l.List
}

// DefaultConfig returns the configuration of a repository without one.
func DefaultConfig() Config {
	values := Values{}
	values.fill(configKeys())
	return config(values)
}

func config(values Values) Config {
	jobs, _ := values["jobs"].Data.(int)
	var packs []pack.Ref
	for _, v := range values["extends"].Mappings {
		packs = append(packs, packRef(v))
	}
	timeout, _ := // checked when it was decoded
		time.ParseDuration(values.Text("commands.timeout"))
	return Config{
		Enabled:       values.True("rules.enabled"),
		RulesDir:      values.Text("rules.rules_dir"),
		MinVersion:    values.Text("min_version"),
		DefaultBranch: values.Text("default_branch"),
		Extends:       withIncluded(values.Texts("extends")),
		Packs:         packs,
		Exclude:       values["exclude"].patterns,
		Sessions:      values.Texts("sessions"),
		Prices:        values.Text("prices"),
		FailOn:        finding.Level(values.Text("fail_on")),
		Jobs:          jobs,
		Commands: CommandsConfig{
			Sandbox:   values.Text("commands.sandbox"),
			Write:     values.Texts("commands.write"),
			Env:       values.Texts("commands.env"),
			Timeout:   timeout,
			TrustHead: values.True("commands.trust_head"),

			SkipBinary: values.Text("commands.binary") == binarySkip,
		},
		TrustWaivers: values.True("waivers.trust"),
		OnAgentError: values.Text("agents.on_error"), Opaque: values.Text("agents.opaque"),
	}
}
