package rule

import (
	"errors"
	"io/fs"
	"maps"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Config is a repository's configuration, defaults filled in.
type Config struct {
	Enabled       bool               // rules.enabled; false: nothing is judged
	RulesDir      string             // rules.rules_dir, below the repository's root
	MinVersion    string             // oldest rulecheck that may judge; empty: any
	DefaultBranch string             // empty: found from the repository
	Extends       []string           // packs that are switched on: bundled/go, …
	Exclude       []*pattern.Pattern // files that trigger no rule
	Sessions      []string           // paths of archived logs
	FailOn        finding.Level      // least grave level that fails a run
	Jobs          int                // commands at a time; 0: one per processor
	Commands      CommandsConfig
	TrustWaivers  bool // waivers.trust: honour those that come from an untrusted change
}

// CommandsConfig is how the commands of rules run.
type CommandsConfig struct {
	Sandbox   string        // SandboxBestEffort, SandboxRequired or SandboxOff
	Write     []string      // further paths they may write to
	Env       []string      // names of further environment variables they may see
	Timeout   time.Duration // for one run, unless the rule says otherwise
	TrustHead bool          // run them although an untrusted change may have written them
}

// The values of commands.sandbox.
const (
	SandboxBestEffort = "best_effort"
	SandboxRequired   = "required"
	SandboxOff        = "off"
)

// configKeys are the keys of the configuration.
func configKeys() []Key {
	sandboxes := []string{SandboxBestEffort, SandboxRequired, SandboxOff}
	return []Key{
		{
			Param: policies.Param{Name: "commands.env", Type: policies.Strings, Optional: true},
			Doc:   "Names of further environment variables that commands may see.",
			Check: checkEnvName,
		},
		{
			Param: policies.Param{Name: "commands.sandbox", Type: policies.String, OneOf: sandboxes, Default: SandboxBestEffort},
			Doc:   "Whether commands are confined: where the system can, always, or never.",
		},
		{
			Param: policies.Param{Name: "commands.timeout", Type: policies.Duration, Default: "60s"},
			Doc:   "How long a command may take unless its rule says otherwise.",
		},
		{
			Param: policies.Param{Name: "commands.trust_head", Type: policies.Boolean, Default: false},
			Doc:   "Run commands although an untrusted change may have written them.",
		},
		{
			Param: policies.Param{Name: "commands.write", Type: policies.Strings, Optional: true},
			Doc:   "Further paths that commands may write to.",
		},
		{
			Param: policies.Param{Name: "default_branch", Type: policies.String, Optional: true},
			Doc:   "The branch changes are compared to; found from the repository unless given.",
			Check: checkBranch,
		},
		{
			Param: policies.Param{Name: "exclude", Type: policies.Patterns, Optional: true},
			Doc:   "Files that trigger no rule.",
		},
		{
			Param: policies.Param{Name: "extends", Type: policies.Strings, Optional: true, OneOf: Packs(), Distinct: true},
			Doc:   "Packs of rules, which come with the program, that are judged too.",
		},
		{
			Param: policies.Param{Name: "fail_on", Type: policies.String, OneOf: levels(), Default: levels()[0]},
			Doc:   "The least grave level of a finding that fails a run.",
		},
		{
			Param:   policies.Param{Name: "jobs", Type: policies.Integer, Optional: true},
			Doc:     "How many commands run at a time; one per processor unless given.",
			Minimum: 1,
		},
		{
			Param: policies.Param{Name: "min_version", Type: policies.String, Optional: true},
			Doc:   "The oldest rulecheck that may judge.",
			Check: checkVersion,
		},
		{
			Param: policies.Param{Name: "rules.enabled", Type: policies.Boolean, Default: true},
			Doc:   "Whether anything is judged.",
		},
		{
			Param: policies.Param{Name: "rules.rules_dir", Type: policies.String, Default: ".rulecheck/rules"},
			Doc:   "The directory of rules, below the repository's root.",
			Check: checkDirectory,
		},
		{
			Param: policies.Param{Name: "sessions", Type: policies.Strings, Optional: true},
			Doc:   "Logs of agents and directories of them, below the repository's root; .rulecheck/sessions and .hegel unless given.",
			Check: checkDirectory,
		},
		{
			Param: policies.Param{Name: "waivers.trust", Type: policies.Boolean, Default: false},
			Doc:   "Honour waivers that come from an untrusted change.",
		},
	}
}

// LoadConfig reads the configuration. Without the file, and for each key it
// does not give or gives wrongly, the default holds.
func LoadConfig(fsys fs.FS, file string) (Config, []finding.Problem) {
	l := &yaml.Log{File: file}
	values := Values{}
	source, err := fs.ReadFile(fsys, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.Unreadable(err)
	default:
		if text, ok := yaml.Normalize(source, l); ok {
			if root := yaml.Read(text, 1, l); root != nil {
				values = Table{Keys: configKeys()}.Decode(root, yaml.Top, l)
			}
		}
	}
	finding.SortProblems(l.List)
	maps.DeleteFunc(values, func(_ string, v Value) bool { return v.Data == nil })
	values.fill(configKeys())
	return config(values), l.List
}

func config(values Values) Config {
	jobs, _ := values["jobs"].Data.(int)
	// Checked when it was decoded.
	timeout, _ := time.ParseDuration(values.Text("commands.timeout"))
	return Config{
		Enabled:       values.True("rules.enabled"),
		RulesDir:      values.Text("rules.rules_dir"),
		MinVersion:    values.Text("min_version"),
		DefaultBranch: values.Text("default_branch"),
		Extends:       values.Texts("extends"),
		Exclude:       values["exclude"].patterns,
		Sessions:      values.Texts("sessions"),
		FailOn:        finding.Level(values.Text("fail_on")),
		Jobs:          jobs,
		Commands: CommandsConfig{
			Sandbox:   values.Text("commands.sandbox"),
			Write:     values.Texts("commands.write"),
			Env:       values.Texts("commands.env"),
			Timeout:   timeout,
			TrustHead: values.True("commands.trust_head"),
		},
		TrustWaivers: values.True("waivers.trust"),
	}
}
