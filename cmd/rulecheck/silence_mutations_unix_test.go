//go:build unix

package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// mutation is one change of a repository.
type mutation struct {
	*silence

	rand    *rand.Rand
	reason  reason
	layout  layout
	dir     string
	args    []string
	env     []string
	stdout  *os.File
	what    string
	removed bool // the reason is no longer in what is checked
}

func (m *mutation) pick(of ...string) string { return of[m.rand.IntN(len(of))] }

func (m *mutation) path(name string) string { return filepath.Join(m.dir, name) }

func (m *mutation) git(args ...string) bool {
	_, status := m.run(m.dir, []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=/dev/null"}, nil, "git", args...)
	return status == 0
}

func (m *mutation) check() (string, int) {
	return m.run(m.dir, m.env, m.stdout, m.layout.program(m.silence), m.layout.commandLine(m.args)...)
}

// restore makes everything removable.
func (m *mutation) restore() {
	if m.stdout != nil {
		m.stdout.Close()
	}
	os.Chmod(m.dir, 0o755)
	filepath.WalkDir(m.dir, func(path string, entry os.DirEntry, _ error) error {
		if entry != nil && entry.IsDir() { // never through a link
			return os.Chmod(path, 0o755)
		}
		return nil
	})
}

// apply draws and makes the mutation.
func (m *mutation) apply() {
	m.Helper()
	switch n := m.rand.IntN(10); {
	case n < 6:
		m.file()
	case n < 8:
		m.repository()
	default:
		m.usage()
	}
}

// target is a file that can be changed.
type target struct {
	name string
	// essential is true if the reason is gone when the file is.
	essential bool
	log       bool
}

func (m *mutation) targets() []target {
	own := ".rulecheck/rules/" + m.reason.id + ".md"
	if m.reason.workflow {
		own = ".rulecheck/workflows/build.yaml"
	}
	targets := []target{
		{name: own, essential: true},
		{name: own, essential: true},
		{name: own, essential: true},
		{name: ".rulecheck/rules/tip.md", essential: m.reason.id == "tip"},
		{name: ".rulecheck/config.yml", essential: m.reason.session},
		{name: ".rulecheck/config.yml", essential: m.reason.session},
		{name: ".rulecheck/policies/todo.rego"},
		{name: ".rulecheck/workflows/build.yaml", essential: m.reason.workflow},
		{name: ".rulecheck", essential: false},
		{name: filepath.Dir(own), essential: m.reason.workflow},
	}
	if m.reason.id == "todo" {
		targets = append(targets, target{name: ".rulecheck/policies/todo.rego"}, target{name: ".rulecheck/policies/todo.rego"})
	}
	if m.reason.session {
		for name := range m.reason.change {
			targets = append(targets, target{name: name, essential: true, log: true}, target{name: name, essential: true, log: true})
		}
		slices.SortFunc(targets, func(a, b target) int { return strings.Compare(a.name, b.name) })
	}
	return targets
}

// file changes a file, in what is checked or only in the working tree.
func (m *mutation) file() {
	m.Helper()
	targets := m.targets()
	at := targets[m.rand.IntN(len(targets))]
	if m.layout.sparse && !at.log { // the file is not in the working tree
		m.git("sparse-checkout", "add", ".rulecheck")
	}
	info, err := os.Lstat(m.path(at.name))
	if err != nil {
		m.Fatal(err)
	}
	isDir := info.IsDir()
	gone, commits := false, true
	if at.log && !m.layout.commit && !m.layout.audit {
		m.args = append(m.args, "--strict")
	}
	switch kind := m.pick("delete", "move", "look-alike", "truncate", "empty", "garbage", "unreadable", "fifo", "directory", "symlink", "unknown", "unknown"); kind {
	case "delete":
		m.what, gone = "deleted", true
		m.must(os.RemoveAll(m.path(at.name)))
	case "move":
		m.what, gone = "moved to attic", true
		m.must(os.Rename(m.path(at.name), m.path("attic")))
	case "look-alike":
		name := m.lookAlike(at.name, isDir)
		m.what = "renamed to " + name
		m.must(os.MkdirAll(filepath.Dir(m.path(name)), 0o755))
		m.must(os.Rename(m.path(at.name), m.path(name)))
		gone = at.log || isDir && m.reason.workflow || isDir && m.reason.session && at.name == ".rulecheck"
	case "truncate":
		m.truncate(at, isDir)
	case "empty":
		m.what, gone = "emptied", at.name == ".rulecheck/config.yml" || at.log
		if !isDir {
			m.must(os.Truncate(m.path(at.name), 0))
		}
	case "garbage":
		m.what = "garbage"
		m.replace(at.name, func(path string) error {
			return os.WriteFile(path, []byte(m.pick("\x00\x01\x02\xff", "<!DOCTYPE html><html>\n", "---\n: : [\n---\n", "{\"a\":", "<<<<<<< HEAD\na: 1\n=======\n")), 0o644)
		})
	case "unreadable":
		m.what, commits = "unreadable", false
		m.must(os.Chmod(m.path(at.name), 0))
	case "fifo":
		m.what, commits, gone = "a FIFO", false, false
		m.replace(at.name, func(path string) error { return syscall.Mkfifo(path, 0o644) })
	case "directory":
		// git knows no empty directories
		m.what, gone = "an empty directory", at.log || isDir && at.essential || m.layout.reads != worktree
		m.replace(at.name, func(path string) error { return os.Mkdir(path, 0o755) })
	case "symlink":
		to := m.pick("nowhere", filepath.Base(at.name), "/dev/null", "/", ".")
		m.what = "a link to " + to
		m.replace(at.name, func(path string) error { return os.Symlink(to, path) })
	case "unknown":
		gone = !m.misspell(at)
	}
	m.what = at.name + " " + m.what
	(&silentWorld{silence: m.silence, dir: m.dir}).own()
	inHead := m.layout.reads == worktree
	if commits && m.layout.reads != worktree && m.rand.IntN(4) > 0 {
		inHead = m.git("add", "-A")
		if inHead && m.layout.reads == commit {
			inHead = m.git("commit", "-qm", "mutation")
		}
		if inHead {
			m.what += ", in the " + []string{"working tree", "index", "commit"}[m.layout.reads]
		}
	}
	if at.log && m.layout.commit || at.name == ".rulecheck/rules" && m.layout.reads == commit {
		m.removed = true // without --strict a torn log is a notice; the commit's other rules are checked
		return
	}
	holdsWorkflows := isDir && strings.HasPrefix(".rulecheck/workflows", at.name) //nolint:gocritic // the name may be that of a parent
	m.removed = gone && (at.essential || m.reason.workflow && holdsWorkflows) && inHead
}

// replace puts something else in the place of a file or directory.
func (m *mutation) replace(name string, put func(path string) error) {
	m.Helper()
	m.must(os.RemoveAll(m.path(name)))
	m.must(put(m.path(name)))
}

// lookAlike returns a name that looks like the right one.
func (m *mutation) lookAlike(name string, isDir bool) string {
	dir, base := filepath.Split(name)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	switch {
	case isDir:
		return dir + m.pick(strings.ToUpper(base), base+"2", strings.TrimSuffix(base, "s")+"_", "."+base+".bak")
	case strings.HasSuffix(base, ".md"):
		return dir + m.pick(stem+".markdown", stem+".txt", stem+".MD", stem+".yml", stem+".yaml", stem+".mdx", stem+".md.bak", stem, "sub/"+base, ".."+"/"+base)
	case base == "config.yml":
		return dir + m.pick("config.yaml", "Config.yml", "config.json", "config.toml", "config", "rules/config.yml")
	case strings.HasSuffix(base, ".rego"):
		return dir + m.pick(stem+".reg", stem+".REGO", stem+".rego.txt", "sub/"+stem+".txt", stem+"_test.rego")
	case strings.HasSuffix(base, ".yaml"):
		return dir + m.pick(stem+".yml", stem+".YAML", stem+".json", stem+".yaml.bak", stem, "sub/"+base)
	}
	return dir + base + m.pick(".bak", ".txt")
}

// truncate cuts a file within a line, so that the rest shows it.
func (m *mutation) truncate(at target, isDir bool) {
	m.Helper()
	if isDir {
		m.what = "unchanged"
		return
	}
	text, err := os.ReadFile(m.path(at.name))
	m.must(err)
	last := len(text) - 2
	if strings.HasSuffix(at.name, ".yaml") || strings.HasSuffix(at.name, ".yml") {
		last = 12 // within the first key or its value
	}
	if strings.HasSuffix(at.name, ".md") {
		last = strings.LastIndex(string(text), "---") + 2 // within the frontmatter
	}
	n := 1 + m.rand.IntN(last)
	for at.log && (text[n-1] == '\n' || text[n] == '\n') {
		n-- // a whole row looks complete
	}
	m.what = fmt.Sprintf("cut to %d bytes", n)
	m.must(os.WriteFile(m.path(at.name), text[:n], 0o644))
}

// misspell adds a word that is not known, and reports whether it must be reported.
func (m *mutation) misspell(at target) bool {
	m.Helper()
	text := ""
	if data, err := os.ReadFile(m.path(at.name)); err == nil {
		text = string(data)
	}
	before := text
	add := func(lines ...string) { text = strings.Replace(text, "---\n", "---\n"+m.pick(lines...)+"\n", 1) }
	switch {
	case strings.HasSuffix(at.name, ".md") && m.reason.session:
		if m.rand.IntN(2) == 0 {
			text = strings.ReplaceAll(text, "agent: claude\n", "")
			add("agent: cluade", "phase: nosuch", "phase: Code", "agent: [claud]")
			break
		}
		add("foo: 1", "level: eror", "enabled: maybe", "safety: 'x'")
	case strings.HasSuffix(at.name, ".md"):
		add("foo: 1", "level: eror", "enabled: maybe", "tags: 7", "compare_to: bse", "agent: claude", "phase: code", "when2: 'true'", "Trigger: x", "safety: ''", "exclude: []")
	case at.name == ".rulecheck/config.yml":
		text = m.pick(
			strings.Replace(text, "default_branch", "default_brnach", 1), strings.Replace(text, "trunk", "trnk", 1), strings.Replace(text, "sessions: [logs]", "sessions: [nowhere]", 1),
			strings.Replace(text, "error", "eror", 1), text+"min_version: '99.0'\n", text+"extends: bundled/nosuch\n", text+"rules: {rules_dir: nowhere}\n", text+"rules: {rules_dir: ''}\n", text+"jobs: many\n",
			text+"rules_dir: x\n", text+"sessions: [logs]\n",
		)
	case strings.HasSuffix(at.name, ".rego"):
		text = m.pick(strings.Replace(text, "modes.todo", "modes.tood", 1), strings.Replace(text, "violations", "violation", 1), strings.Replace(text, "match.change.added_lines", "match.change.aded_lines", 1),
			strings.Replace(text, "todo: patterns", "todos: patterns", 1), strings.Replace(text, "added_lines]", "added_line]", 1), strings.Replace(text, "package", "pakage", 1))
	case strings.HasSuffix(at.name, ".yaml"):
		text = m.pick(strings.Replace(text, "repeated_command", "repeated_comand", 1), strings.Replace(text, "threshold", "treshold", 1), strings.Replace(text, "rules:", "ruels:", 1),
			strings.Replace(text, "nodes:", "node:", 1), "foo: 1\n"+text, strings.Replace(text, "threshold: 3", "threshold: 0", 1))
	case at.log:
		text = m.pick(strings.ReplaceAll(text, `"assistant"`, `"assistant_v9"`), strings.ReplaceAll(text, `"timestamp"`, `"time"`), strings.ReplaceAll(text, `"usage"`, `"usages"`), strings.ReplaceAll(text, `"tool_use"`, `"tool_call"`))
		m.what = "misspelled"
		m.must(os.WriteFile(m.path(at.name), []byte(text), 0o644))
		return text != before
	default: // a directory
		m.what = "unchanged"
		return true
	}
	m.what = fmt.Sprintf("misspelled: %q", diffOf(before, text))
	m.must(os.WriteFile(m.path(at.name), []byte(text), 0o644))
	return true
}

// diffOf returns the first line of b that a does not have.
func diffOf(a, b string) string {
	for line := range strings.Lines(b) {
		if !strings.Contains(a, line) {
			return line
		}
	}
	return ""
}

// repository changes git's own files.
func (m *mutation) repository() {
	m.Helper()
	write := func(name, text string) {
		m.must(os.MkdirAll(filepath.Dir(m.path(name)), 0o755))
		m.must(os.WriteFile(m.path(name), []byte(text), 0o644))
	}
	files := []string{".git/HEAD", ".git/index", ".git/config", ".git/refs/heads/trunk", ".git/refs/remotes/origin/trunk", ".git/refs/heads/topic", ".git/objects", ".git/refs", ".git"}
	name := files[m.rand.IntN(len(files))]
	switch m.rand.IntN(8) {
	case 0:
		m.what = name + " unreadable"
		m.must(os.Chmod(m.path(name), 0))
	case 1:
		m.what = name + " deleted"
		m.must(os.RemoveAll(m.path(name)))
	case 2:
		m.what = name + " garbage"
		m.must(os.RemoveAll(m.path(name)))
		write(name, "garbage\x00\n")
	case 3: // not a FIFO, for which git itself waits
		m.what = name + " a directory"
		m.must(os.RemoveAll(m.path(name)))
		m.must(os.Mkdir(m.path(name), 0o755))
	case 4:
		objects, err := filepath.Glob(m.path(".git/objects/??/*"))
		m.must(err)
		object := objects[m.rand.IntN(len(objects))]
		m.must(os.Chmod(object, 0o644))
		if m.what = "an object truncated"; m.rand.IntN(2) == 0 {
			m.must(os.Truncate(object, 3))
		} else {
			m.what = "an object deleted"
			m.must(os.Remove(object))
		}
	case 5:
		m.what = "no base branch"
		m.must(os.RemoveAll(m.path(".git/refs/heads/trunk")))
		m.must(os.RemoveAll(m.path(".git/refs/remotes/origin")))
	case 6:
		m.what = "shallow"
		head, err := os.ReadFile(m.path(".git/refs/heads/topic"))
		m.must(err)
		write(".git/shallow", string(head))
	case 7:
		m.what = "the index cut"
		if info, err := os.Stat(m.path(".git/index")); err == nil {
			m.must(os.Truncate(m.path(".git/index"), m.rand.Int64N(info.Size())))
		}
	}
	(&silentWorld{silence: m.silence, dir: m.dir}).own()
}

// usage changes how the program is called.
func (m *mutation) usage() {
	m.Helper()
	fake := func(script string) {
		dir := m.path(".git/fake")
		m.must(os.MkdirAll(dir, 0o755))
		m.must(os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
		(&silentWorld{silence: m.silence, dir: m.dir}).own()
		m.env = append(m.env, "PATH="+dir+":"+filepath.Dir(m.program)+":"+os.Getenv("PATH"))
	}
	arguments := func(args ...string) {
		m.what = fmt.Sprintf("%q", args)
		if m.layout.commit {
			return
		}
		m.args = append(m.args, args...)
	}
	audit := m.layout.audit
	switch m.rand.IntN(12) {
	case 0:
		arguments("--only", m.pick("nosuch", "", "Trigger,nosuch"))
	case 1:
		arguments("--skip", m.pick("nosuch", "", "trigge"))
	case 2:
		arguments("--format", m.pick("nosuch", "", "json=/nonexistent/x", "json=", "=x"))
	case 3:
		if !audit {
			arguments(m.pick("--since", "--from", "--to", "--rules-from"), m.pick("", "nosuch", "0000000000000000000000000000000000000000"))
		}
	case 4:
		m.env, m.what = append(m.env, "RULECHECK_SKIP="+m.pick("nosuch", ",", " ", "trigge")), "RULECHECK_SKIP"
	case 5:
		m.env, m.what = append(m.env, "RULECHECK_WAIVE="+m.pick("nosuch x", m.reason.id, "  ", m.reason.id+" ")), "RULECHECK_WAIVE"
	case 6:
		if m.what = "git prints nothing"; m.layout.commit {
			break
		}
		fake("exit 0")
	case 7:
		if m.what = "git fails"; m.layout.commit {
			break
		}
		fake(m.pick("exit 1", "kill -9 $$", "echo x; exit 0"))
	case 8:
		m.what = "no git"
		if !m.layout.commit {
			m.env = append(m.env, "PATH="+filepath.Dir(m.program))
		}
	case 9:
		key := m.pick("GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES")
		m.env, m.what = append(m.env, key+"="+m.path("nowhere")), key
	case 10:
		m.what = "full output"
		if f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil && !m.layout.commit {
			m.stdout = f
		}
	case 11:
		m.what = "event"
		for i, v := range m.env {
			if strings.HasPrefix(v, "GITHUB_EVENT_PATH=") {
				m.env[i] = "GITHUB_EVENT_PATH=" + m.pick("/nonexistent", "/dev/null", m.dir, "")
			}
		}
	}
}
