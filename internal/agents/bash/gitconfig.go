package bash

import (
	"maps"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// gitConfig returns the configuration that the line gives to a git command, by keys
// in lower case.
func (r *reader) gitConfig(st *state, global parsed) map[string]string {
	config := maps.Clone(r.config)
	env := st.exported()
	for _, pair := range global.values("c") {
		key, value, given := strings.Cut(pair, "=")
		if !given {
			value = "true"
		}
		config[configKey(key)] = value
	}
	for _, pair := range global.values("config-env") {
		key, name, _ := strings.Cut(pair, "=")
		value, ok := env[name]
		if !ok {
			value = string(unknownWord)
		}
		config[configKey(key)] = value
	}
	if n, given := env["GIT_CONFIG_COUNT"]; given {
		count, err := strconv.Atoi(n)
		if err != nil || count > maxTurns {
			r.opaque(fact.OpaqueCommand, "git's configuration is not in the line", "GIT_CONFIG_COUNT="+n)
			count = maxTurns
		}
		for i := range count {
			if key, ok := env["GIT_CONFIG_KEY_"+strconv.Itoa(i)]; ok {
				config[configKey(key)] = env["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]
			}
		}
	}
	for pair := range strings.SplitSeq(env["GIT_CONFIG_PARAMETERS"], "' '") {
		if key, value, ok := strings.Cut(strings.Trim(strings.ReplaceAll(pair, "'='", "="), "' "), "="); ok {
			config[configKey(key)] = value
		}
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"} {
		file, given := env[name]
		if !given || file == "" || file == "/dev/null" {
			continue
		}
		if in := r.content(st, file); in.known {
			maps.Copy(config, readINI(in.text))
		} else {
			r.opaque(fact.OpaqueCommand, "git's configuration is not in the line", name+"="+file)
		}
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		dir, given := env[name]
		if !given || dir == r.Home && name == "HOME" {
			continue
		}
		known := isTemporary(dir)
		for _, file := range []string{"/.gitconfig", "/git/config", "/.config/git/config"} {
			if in := r.files[lexical(dir+file)]; in != nil && in.known {
				maps.Copy(config, readINI(in.text))
				known = true
			}
		}
		if !known {
			r.opaque(fact.OpaqueCommand, "git's configuration is not in the line", name+"="+dir)
		}
	}
	for _, name := range gitVariables {
		if value := env[name]; value != "" {
			r.gitProgram(st, value)
		}
	}
	return config
}

// gitTraces adds the files to which the environment lets git write what it does.
func (r *reader) gitTraces(st *state) {
	for name, value := range st.exported() {
		if strings.HasPrefix(name, "GIT_TRACE") && (strings.HasPrefix(value, "/") || isOpen(value)) {
			r.write(st, name, value, change{})
		}
	}
}

// isTemporary reports whether a directory is an empty one that the line makes, by mktemp.
func isTemporary(dir string) bool {
	rest, ok := strings.CutPrefix(dir, "/tmp/")
	return ok && strings.HasPrefix(rest, string(plainText))
}

// gitVariables lists the environment variables that name programs git runs.
var gitVariables = []string{"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "EDITOR", "VISUAL", "PAGER", "LESSOPEN"}

// gitProgram reads a program that git runs; not again within itself.
func (r *reader) gitProgram(st *state, text string) {
	if r.within[text] {
		return
	}
	r.within[text] = true
	defer delete(r.within, text)
	r.shellText(st, text, "git")
}

// configKey returns a key with section and name in lower case; what is between them
// keeps its case in git, which matters to no rule.
func configKey(key string) string { return strings.ToLower(key) }

// runsText reports whether git runs the value of a key.
func runsText(key string) bool {
	switch key {
	case "core.editor", "sequence.editor", "core.pager", "core.sshcommand", "core.fsmonitor", "core.askpass", "diff.external", "gpg.program", "gpg.ssh.program", "gpg.x509.program", "uploadpack.packobjectshook", "core.gitproxy", "interactive.difffilter", "gpg.ssh.defaultkeycommand", "core.alternaterefscommand":
		return true
	}
	section, _, _ := strings.Cut(key, ".")
	name := key[strings.LastIndexByte(key, '.')+1:]
	switch section {
	case "pager":
		return true
	case "alias":
		return false
	case "filter", "diff", "merge", "mergetool", "difftool", "trailer", "tar", "credential", "remote", "guitool", "sendemail", "man", "browser":
		switch name {
		case "clean", "smudge", "process", "textconv", "command", "driver", "cmd", "helper", "uploadpack", "receivepack", "path", "tocmd", "cccmd", "sendmailcmd":
			return true
		}
	}
	return false
}

// gitPrograms reads the programs that the configuration names.
func (r *reader) gitPrograms(st *state, config map[string]string) {
	for key, value := range config {
		switch {
		case value == "" || value == "true" || value == "false":
		case runsText(key):
			r.gitProgram(st, strings.TrimPrefix(value, "!"))
		case key == "include.path" || strings.HasPrefix(key, "includeif."):
			if in := r.content(st, value); in.known {
				maps.Copy(config, readINI(in.text))
			} else {
				r.opaque(fact.OpaqueCommand, "git's configuration is not in the line", value)
			}
		}
	}
}

// configSet returns the keys that a git config command sets, and remembers them for
// the rest of the line.
func (r *reader) configSet(st *state, words []string) map[string]string {
	// Options may follow the key.
	all := gitOptions["config"]
	all.First = false
	full := all.parse(words)
	if full.has("get", "get-all", "get-regexp", "get-urlmatch", "list", "unset", "unset-all", "remove-section", "rename-section") {
		return nil
	}
	operands := full.operands
	if len(operands) > 0 {
		switch operands[0] {
		case "set":
			operands = operands[1:]
		case "get", "unset", "list", "remove-section", "rename-section":
			return nil
		}
	}
	if full.has("edit") || len(operands) == 1 && operands[0] == "edit" {
		r.opaque(fact.OpaqueCommand, "an editor changes git's configuration", strings.Join(words, " "))
		return nil
	}
	if len(operands) < 2 {
		return nil
	}
	for _, file := range full.values("file") {
		if r.abs(st, file) != r.gitDir()+"/config" {
			r.write(st, "git config", file, change{})
		}
	}
	key, value := configKey(operands[0]), operands[1]
	r.config[key] = value
	set := map[string]string{key: value}
	r.gitPrograms(st, set)
	if isUnknown(key) {
		r.opaque(fact.OpaqueCommand, "git's configuration is not in the line", strings.Join(words, " "))
	}
	return set
}

// readConfig reads a file of git's configuration that the line writes, as the git
// config commands that would do the same.
func (r *reader) readConfig(file string, in *input) {
	inGit := file == r.gitDir()+"/config" || strings.HasSuffix(file, "/config.worktree") || strings.HasSuffix(file, "/.gitconfig") || strings.HasSuffix(file, "/git/config") || strings.HasSuffix(file, "/.git/config") || strings.HasSuffix(file, "/etc/gitconfig")
	if !inGit {
		return
	}
	if !in.known {
		r.opaque(fact.OpaqueCommand, "git's configuration is not in the line", file)
		return
	}
	st := r.start().through("redirection")
	for key, value := range readINI(in.text) {
		r.gitWith(st, []string{"git", "config", key, value}, 0)
	}
}

// readINI reads the text of a configuration file.
func readINI(text string) map[string]string {
	config := map[string]string{}
	section := ""
	for l := range strings.SplitSeq(text, "\n") {
		l = strings.TrimSpace(l)
		if rest, ok := strings.CutPrefix(l, "["); ok {
			head, after, _ := strings.Cut(rest, "]")
			name, sub, quoted := strings.Cut(head, " ")
			section = strings.ToLower(name)
			if quoted {
				section += "." + strings.Trim(sub, `" `)
			}
			l = strings.TrimSpace(after)
		}
		if l == "" || l[0] == '#' || l[0] == ';' {
			continue
		}
		key, value, given := strings.Cut(l, "=")
		if !given {
			value = "true"
		}
		config[configKey(section+"."+strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(value), `"`)
	}
	return config
}
