package gitfile

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Config is git's configuration, see https://git-scm.com/docs/git-config: every variable in the order git reads them. The last of a
// name counts.
type Config []Variable

// Variable is one assignment. Its key is section.name or section.subsection.name, all but the
// subsection in lower case.
type Variable struct {
	Key, Value string
	Valued     bool // without a value it is true
	Protected  bool // not from the repository itself
}

// ReadConfig reads the configuration of the system, the user, the repository, this working
// tree and the environment. It refuses files that include others.
func ReadConfig(env Environment, place *git.Repo) (Config, error) {
	var c Config
	sources := configFiles(env, place)
	for i := 0; i < len(sources); i++ {
		source := sources[i]
		text, err := regular.ReadFile(source.file)
		if absent(err) || errors.Is(err, fs.ErrPermission) && source.protected {
			continue
		}
		if err != nil {
			return nil, err
		}
		list, err := parseConfig(string(text))
		if err != nil {
			return nil, fmt.Errorf("configuration %s: %w", source.file, err)
		}
		for i := range list {
			list[i].Protected = source.protected
		}
		c = append(c, list...)
		if i == len(sources)-1 && list.Boolean("extensions.worktreeconfig", false) {
			sources = append(sources, configFile{file: filepath.Join(place.GitDir, "config.worktree")})
		}
	}
	list, err := environmentConfig(env)
	if err != nil {
		return nil, err
	}
	c = append(c, list...)
	for _, v := range c {
		if v.Key == "include.path" || strings.HasPrefix(v.Key, "includeif.") {
			return nil, diff.NeedsGit("a configuration that includes files (" + v.Key + ")")
		}
	}
	return c, nil
}

type configFile struct {
	file      string
	protected bool
}

func configFiles(env Environment, place *git.Repo) []configFile {
	var list []configFile
	user := func(name string) { list = append(list, configFile{name, true}) }
	if !env.Truth("GIT_CONFIG_NOSYSTEM") {
		if name, ok := env["GIT_CONFIG_SYSTEM"]; ok {
			user(name)
		} else {
			user("/etc/gitconfig")
		}
	}
	if name, ok := env["GIT_CONFIG_GLOBAL"]; ok {
		user(name)
	} else {
		if home := env.ConfigHome(); home != "" {
			user(home + "/config")
		}
		if env["HOME"] != "" {
			user(env["HOME"] + "/.gitconfig")
		}
	}
	return append(list, configFile{file: filepath.Join(place.CommonDir, "config")})
}

// environmentConfig returns the variables that the environment sets.
func environmentConfig(env Environment) (Config, error) {
	count := env["GIT_CONFIG_COUNT"]
	if count == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > 1000 {
		return nil, fmt.Errorf("GIT_CONFIG_COUNT is %q; want a small number", count)
	}
	var list Config
	for i := range n {
		key, named := env["GIT_CONFIG_KEY_"+strconv.Itoa(i)]
		value, valued := env["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]
		section, rest, dotted := strings.Cut(key, ".")
		if !named || !valued || !dotted {
			return nil, fmt.Errorf("GIT_CONFIG_KEY_%d is %q; want section.name and GIT_CONFIG_VALUE_%d with it", i, key, i)
		}
		sub := ""
		if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
			sub, rest = rest[:dot+1], rest[dot+1:]
		}
		list = append(list, Variable{
			Key:   strings.ToLower(section) + "." + sub + strings.ToLower(rest),
			Value: value, Valued: true, Protected: true,
		})
	}
	return list, nil
}

// Last returns the assignment that counts; ok is false if the variable is not set.
func (c Config) Last(key string) (v Variable, ok bool) {
	for _, w := range c {
		if w.Key == key {
			v, ok = w, true
		}
	}
	return v, ok
}

// Boolean returns a variable's value as a boolean, or unset if it is not set.
func (c Config) Boolean(key string, unset bool) bool {
	v, ok := c.Last(key)
	if !ok {
		return unset
	}
	return !v.Valued || Truth(v.Value)
}

// Truth parses a value as git parses a boolean.
func Truth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.ParseInt(strings.TrimRight(value, "kKmMgG"), 0, 64)
	return err == nil && n != 0
}

// Falsity parses a value that is a boolean or something else: it reports whether it is false.
func Falsity(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value))
}
