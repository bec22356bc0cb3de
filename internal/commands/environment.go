package commands

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// visible are the variables every command sees, and localeVariables the prefix
// of more.
var visible = []string{"PATH", "HOME", "LANG", "TERM"}

const localeVariables = "LC_"

// environment is what a command sees of the process's environment: the visible
// variables and those in pass. Caches are ours, unless pass names the variable.
func environment(environ, pass []string, cache string) []string {
	env := map[string]string{
		"XDG_CACHE_HOME":   cache,
		"GOCACHE":          filepath.Join(cache, "go-build"),
		"npm_config_cache": filepath.Join(cache, "npm"),
	}
	for _, kv := range environ {
		key, value, _ := strings.Cut(kv, "=")
		if slices.Contains(visible, key) || strings.HasPrefix(key, localeVariables) || slices.Contains(pass, key) {
			env[key] = value // the last one counts
		}
	}
	list := make([]string, 0, len(env))
	for _, key := range slices.Sorted(maps.Keys(env)) {
		list = append(list, key+"="+env[key])
	}
	return list
}

// variable is the value of key in an environment; empty where it has none.
func variable(environ []string, key string) string {
	value := ""
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}
