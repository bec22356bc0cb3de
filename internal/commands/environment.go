package commands

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// visible are the variables that every command sees, in addition to those with
// the prefix localeVariables.
var visible = []string{"PATH", "HOME", "LANG", "TERM"}

const localeVariables = "LC_"

// environment returns the environment of a command: the visible variables and those
// in pass. Variables of caches point below cache unless pass names them.
func environment(environ, pass []string, cache string) []string {
	env := map[string]string{
		"XDG_CACHE_HOME":   cache,
		"GOCACHE":          filepath.Join(cache, "go-build"),
		"npm_config_cache": filepath.Join(cache, "npm"),
	}
	for _, kv := range environ {
		key, value, _ := strings.Cut(kv, "=")
		if slices.Contains(visible, key) || strings.HasPrefix(key, localeVariables) || slices.Contains(pass, key) {
			env[key] = value // the last one wins
		}
	}
	list := make([]string, 0, len(env))
	for _, key := range slices.Sorted(maps.Keys(env)) {
		list = append(list, key+"="+env[key])
	}
	return list
}

// variable returns the value of key in an environment, or an empty string.
func variable(environ []string, key string) string {
	value := ""
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}
