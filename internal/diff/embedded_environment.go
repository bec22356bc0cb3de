package diff

import "strings"

// environment is that of the run, by name; the last value of a variable counts.
type environment map[string]string

func parseEnvironment(list []string) environment {
	env := make(environment, len(list))
	for _, kv := range list {
		key, value, _ := strings.Cut(kv, "=")
		env[key] = value
	}
	return env
}

// redirections are the variables that make git look elsewhere or otherwise, and
// that the embedded engine does not follow. It does follow GIT_DIR,
// GIT_WORK_TREE, GIT_INDEX_FILE, GIT_CEILING_DIRECTORIES and those that name configuration.
var redirections = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ATTR_SOURCE", "GIT_BASENAME_FACTOR",
	"GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_REF_STORAGE", "GIT_REPLACE_REF_BASE",
	"GIT_SHALLOW_FILE",
}

// known refuses an environment that redirects git in a way not followed here.
func (env environment) known() error {
	for _, name := range redirections {
		if env[name] != "" {
			return needsGit("the environment variable " + name)
		}
	}
	return nil
}

// truth reads a variable as git reads a boolean.
func (env environment) truth(name string) bool { return truth(env[name]) }

// configHome is where a user keeps git's files: empty when unknown.
func (env environment) configHome() string {
	switch {
	case env["XDG_CONFIG_HOME"] != "":
		return env["XDG_CONFIG_HOME"] + "/git"
	case env["HOME"] != "":
		return env["HOME"] + "/.config/git"
	}
	return ""
}
