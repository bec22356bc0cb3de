package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// config is git's configuration: every variable in the order git reads them, so
// that the last of a name counts.
type config []variable

// variable is one assignment. Its key is section.name or
// section.subsection.name, all but the subsection in lower case.
type variable struct {
	key, value string
	valued     bool // without a value it is true
	protected  bool // not from the repository itself
}

// readConfig reads what git reads: system, user, repository, this working tree,
// environment. It refuses files that include others.
func readConfig(env environment, here *git.Repo) (config, error) {
	var c config
	sources := configFiles(env, here)
	for i := 0; i < len(sources); i++ {
		source := sources[i]
		text, err := os.ReadFile(source.file)
		if absentFile(err) || errors.Is(err, fs.ErrPermission) && source.protected {
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
			list[i].protected = source.protected
		}
		c = append(c, list...)
		if i == len(sources)-1 && list.boolean("extensions.worktreeconfig", false) {
			sources = append(sources, configFile{file: filepath.Join(here.GitDir, "config.worktree")})
		}
	}
	list, err := configOf(env)
	if err != nil {
		return nil, err
	}
	c = append(c, list...)
	for _, v := range c {
		if v.key == "include.path" || strings.HasPrefix(v.key, "includeif.") {
			return nil, needsGit("a configuration that includes files (" + v.key + ")")
		}
	}
	return c, nil
}

type configFile struct {
	file      string
	protected bool
}

func configFiles(env environment, here *git.Repo) []configFile {
	var list []configFile
	user := func(name string) { list = append(list, configFile{name, true}) }
	if !env.truth("GIT_CONFIG_NOSYSTEM") {
		if name, ok := env["GIT_CONFIG_SYSTEM"]; ok {
			user(name)
		} else {
			user("/etc/gitconfig")
		}
	}
	if name, ok := env["GIT_CONFIG_GLOBAL"]; ok {
		user(name)
	} else {
		if home := env.configHome(); home != "" {
			user(home + "/config")
		}
		if env["HOME"] != "" {
			user(env["HOME"] + "/.gitconfig")
		}
	}
	return append(list, configFile{file: filepath.Join(here.CommonDir, "config")})
}

// configOf are the variables that the environment itself sets.
func configOf(env environment) (config, error) {
	count := env["GIT_CONFIG_COUNT"]
	if count == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > 1000 {
		return nil, fmt.Errorf("GIT_CONFIG_COUNT is %q; want a small number", count)
	}
	var list config
	for i := range n {
		key, named := env["GIT_CONFIG_KEY_"+strconv.Itoa(i)]
		value, valued := env["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]
		section, rest, dotted := strings.Cut(key, ".")
		if !named || !valued || !dotted {
			return nil, fmt.Errorf("GIT_CONFIG_KEY_%d is %q; want section.name and GIT_CONFIG_VALUE_%d beside it", i, key, i)
		}
		sub := ""
		if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
			sub, rest = rest[:dot+1], rest[dot+1:]
		}
		list = append(list, variable{
			key:   strings.ToLower(section) + "." + sub + strings.ToLower(rest),
			value: value, valued: true, protected: true,
		})
	}
	return list, nil
}

// last is the value that counts; ok is false where the variable is not set.
func (c config) last(key string) (v variable, ok bool) {
	for _, w := range c {
		if w.key == key {
			v, ok = w, true
		}
	}
	return v, ok
}

// boolean is a variable's truth, or what holds where it is not set.
func (c config) boolean(key string, unset bool) bool {
	v, ok := c.last(key)
	if !ok {
		return unset
	}
	return !v.valued || truth(v.value)
}

// truth reads a value as git reads a boolean.
func truth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.ParseInt(strings.TrimRight(value, "kKmMgG"), 0, 64)
	return err == nil && n != 0
}

// listing writes all variables as git config -z does.
func (c config) listing() []byte {
	var b []byte
	for _, v := range c {
		relevant := v.key == "core.filemode" || strings.HasPrefix(v.key, "branch.") && strings.HasSuffix(v.key, ".remote") ||
			strings.HasPrefix(v.key, "remote.") && (strings.HasSuffix(v.key, ".url") || strings.HasSuffix(v.key, ".fetch"))
		if !relevant {
			continue
		}
		b = append(b, v.key...)
		if v.valued {
			b = append(append(b, '\n'), v.value...)
		}
		b = append(b, 0)
	}
	return b
}
