package rule

import (
	"errors"
	"io/fs"
	"maps"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
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
func configKeys() []key {
	sandboxes := []string{SandboxBestEffort, SandboxRequired, SandboxOff}
	return []key{
		{
			Param: policies.Param{Name: "commands.env", Type: policies.Strings, Optional: true},
			doc:   "Names of further environment variables that commands may see.",
			check: checkEnvName,
		},
		{
			Param: policies.Param{Name: "commands.sandbox", Type: policies.String, OneOf: sandboxes, Default: SandboxBestEffort},
			doc:   "Whether commands are confined: where the system can, always, or never.",
		},
		{
			Param: policies.Param{Name: "commands.timeout", Type: policies.Duration, Default: "60s"},
			doc:   "How long a command may take unless its rule says otherwise.",
		},
		{
			Param: policies.Param{Name: "commands.trust_head", Type: policies.Boolean, Default: false},
			doc:   "Run commands although an untrusted change may have written them.",
		},
		{
			Param: policies.Param{Name: "commands.write", Type: policies.Strings, Optional: true},
			doc:   "Further paths that commands may write to.",
		},
		{
			Param: policies.Param{Name: "default_branch", Type: policies.String, Optional: true},
			doc:   "The branch changes are compared to; found from the repository unless given.",
			check: checkBranch,
		},
		{
			Param: policies.Param{Name: "exclude", Type: policies.Patterns, Optional: true},
			doc:   "Files that trigger no rule.",
		},
		{
			Param: policies.Param{Name: "extends", Type: policies.Strings, Optional: true, OneOf: Packs(), Distinct: true},
			doc:   "Packs of rules, which come with the program, that are judged too.",
		},
		{
			Param: policies.Param{Name: "fail_on", Type: policies.String, OneOf: levels(), Default: levels()[0]},
			doc:   "The least grave level of a finding that fails a run.",
		},
		{
			Param:   policies.Param{Name: "jobs", Type: policies.Integer, Optional: true},
			doc:     "How many commands run at a time; one per processor unless given.",
			minimum: 1,
		},
		{
			Param: policies.Param{Name: "min_version", Type: policies.String, Optional: true},
			doc:   "The oldest rulecheck that may judge.",
			check: checkVersion,
		},
		{
			Param: policies.Param{Name: "rules.enabled", Type: policies.Boolean, Default: true},
			doc:   "Whether anything is judged.",
		},
		{
			Param: policies.Param{Name: "rules.rules_dir", Type: policies.String, Default: ".rulecheck/rules"},
			doc:   "The directory of rules, below the repository's root.",
			check: checkDirectory,
		},
		{
			Param: policies.Param{Name: "sessions", Type: policies.Strings, Optional: true},
			doc:   "Paths of archived logs.",
		},
		{
			Param: policies.Param{Name: "waivers.trust", Type: policies.Boolean, Default: false},
			doc:   "Honour waivers that come from an untrusted change.",
		},
	}
}

// LoadConfig reads the configuration. Without the file, and for each key it
// does not give or gives wrongly, the default holds.
func LoadConfig(fsys fs.FS, file string) (Config, []Problem) {
	l := &log{file: file}
	values := map[string]value{}
	source, err := fs.ReadFile(fsys, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.add(top, codeUnreadable, "want a file that can be read: %v", reason(err))
	default:
		if text, ok := normalize(source, l); ok {
			if root := readYAML(text, 1, l); root != nil {
				values = decode(root, configKeys(), top, l)
			}
		}
	}
	sortProblems(l.list)
	maps.DeleteFunc(values, func(_ string, v value) bool { return v.data == nil })
	fill(values, configKeys())
	return config(values), l.list
}

func config(values map[string]value) Config {
	jobs, _ := values["jobs"].data.(int)
	// Checked when it was decoded.
	timeout, _ := time.ParseDuration(str(values, "commands.timeout"))
	return Config{
		Enabled:       values["rules.enabled"].data == true,
		RulesDir:      str(values, "rules.rules_dir"),
		MinVersion:    str(values, "min_version"),
		DefaultBranch: str(values, "default_branch"),
		Extends:       values["extends"].texts(),
		Exclude:       values["exclude"].patterns,
		Sessions:      values["sessions"].texts(),
		FailOn:        finding.Level(str(values, "fail_on")),
		Jobs:          jobs,
		Commands: CommandsConfig{
			Sandbox:   str(values, "commands.sandbox"),
			Write:     values["commands.write"].texts(),
			Env:       values["commands.env"].texts(),
			Timeout:   timeout,
			TrustHead: values["commands.trust_head"].data == true,
		},
		TrustWaivers: values["waivers.trust"].data == true,
	}
}
