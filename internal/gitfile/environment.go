package gitfile

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Environment holds the environment variables of a run by name.
type Environment map[string]string

// ParseEnvironment parses a list of KEY=value; the last value of a variable counts.
func ParseEnvironment(list []string) Environment {
	env := make(Environment, len(list))
	for _, kv := range list {
		key, value, _ := strings.Cut(kv, "=")
		env[key] = value
	}
	return env
}

// redirections are the variables that change where or how git reads a repository, and that
// are not followed here. Those of replace refs and grafts have no effect. GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_CEILING_DIRECTORIES and
// those that name configuration are.
var redirections = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ATTR_SOURCE", "GIT_BASENAME_FACTOR",
	"GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_IMPLICIT_WORK_TREE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_REF_STORAGE",
	"GIT_SHALLOW_FILE",
}

// Known refuses an environment that redirects git in a way that is not followed here.
func (env Environment) Known() error {
	for _, name := range redirections {
		if env[name] != "" {
			return diff.NeedsGit("the environment variable " + name)
		}
	}
	return nil
}

// Truth parses a variable as git parses a boolean.
func (env Environment) Truth(name string) bool { return Truth(env[name]) }

// ConfigHome returns the directory of the user's git files, or "" if unknown.
func (env Environment) ConfigHome() string {
	switch {
	case env["XDG_CONFIG_HOME"] != "":
		return env["XDG_CONFIG_HOME"] + "/git"
	case env["HOME"] != "":
		return env["HOME"] + "/.config/git"
	}
	return ""
}
