//go:build unix

package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gone is the text of a file that a change deletes.
const gone = "\x00gone"

// link begins the text of a symbolic link.
const link = "\x00link "

// hiddenRule is a rule with a change that breaks it.
type hiddenRule struct {
	id, text     string
	base, change map[string]string
	committed    bool // broken by the commit only
	session      bool
	checker      bool // a command checks the files
	unchanged    bool // files that do not change count, too
}

// state is where a change is.
type state int

const (
	onDisk state = iota
	staged
	committed
)

// ruleMaker makes random rules in a separate directory.
type ruleMaker struct {
	*rand.Rand

	dir, id string
}

func (m *ruleMaker) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *ruleMaker) one() bool { return m.IntN(2) == 0 }

// file returns a path in the directory, with a name that is hard to quote now and then.
func (m *ruleMaker) file(ext string) string {
	name := m.pick("x", "main", "Main", "a b", "é", "it's", `q"q`, "-dash", "tab\tx", "日本", "%s", "#", "[x]", "back\\slash")
	return m.dir + "/" + m.pick("", "", "sub/", "s p/") + name + ext
}

func (m *ruleMaker) ext() string {
	return m.pick(".go", ".py", ".txt", ".md", ".js", ".sql", "", ".bin", ".png", ".lock", ".ipynb", ".svg")
}

// lines returns random lines, some of them not of ASCII, that make no two files similar: git
// would take a new file for a renamed one.
func (m *ruleMaker) lines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		if m.IntN(6) > 0 {
			lines[i] = fmt.Sprintf(m.pick("x = %d", "  return y%d", "} // é %d", "# %d", "\tcall(日本%d)", "word %d"), m.IntN(1<<30))
		}
	}
	return lines
}

// with inserts a line at random.
func (m *ruleMaker) with(lines []string, line string) []string {
	return slices.Insert(slices.Clone(lines), m.IntN(len(lines)+1), line)
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// hiddenModes make a rule of each mode, with random keys.
var hiddenModes = []func(*ruleMaker) hiddenRule{
	(*ruleMaker).forbid, (*ruleMaker).forbid, (*ruleMaker).need, (*ruleMaker).refs, (*ruleMaker).ifchange, (*ruleMaker).limit, (*ruleMaker).set, (*ruleMaker).pair,
	(*ruleMaker).created, (*ruleMaker).trigger, (*ruleMaker).withLines, (*ruleMaker).withLines, (*ruleMaker).keys, (*ruleMaker).equal, (*ruleMaker).codeowners, (*ruleMaker).commits,
	(*ruleMaker).command, (*ruleMaker).policy, (*ruleMaker).ignore, (*ruleMaker).when, (*ruleMaker).session,
}

// plainNames is the mode whose rules have plain names: mentions of others need quotes.
const plainNames = 3

func (m *ruleMaker) files() string { return m.dir + "/**" }

// word returns a word with a regular expression that finds it, and a line with it.
func (m *ruleMaker) word() (regex, line string) {
	word := "WORD" + strconv.Itoa(m.IntN(100)) + "x"
	regex = m.pick(word, "(?i)"+strings.ToLower(word), `\b`+word+`\b`, "^"+m.pick("", " *", `\s*`)+word, word[:3]+".*"+word[5:], "(?m)^"+word)
	return regex, word + m.pick("", " = 1", "()", " é")
}

func (m *ruleMaker) forbid() hiddenRule {
	regex, line := m.word()
	name, lines := m.file(m.ext()), m.lines(m.IntN(30))
	r := hiddenRule{text: fmt.Sprintf("forbid: {files: %q, lines: %q}\n", m.files(), regex), change: map[string]string{name: text(m.with(lines, line))}}
	if m.one() {
		r.base = map[string]string{name: text(lines)}
	}
	return r
}

func (m *ruleMaker) need() hiddenRule {
	first := m.pick("", ", first: 1", ", first: 5")
	name, lines := m.file(m.ext()), m.lines(2+m.IntN(30))
	r := hiddenRule{text: fmt.Sprintf("need: {files: %q, lines: '^SPDX'%s}\n", m.files(), first), change: map[string]string{name: text(m.with(lines, "new"))}}
	if m.one() {
		r.base = map[string]string{name: text(lines)}
	}
	return r
}

func (m *ruleMaker) refs() hiddenRule {
	old := m.dir + "/old/" + m.pick("tool.py", "run.sh", "Note.md")
	page := m.dir + "/docs/" + m.pick("a.md", "b.txt", "c.yml")
	r := hiddenRule{
		unchanged: true,
		text:      fmt.Sprintf("refs: {in: '%s/docs/**'}\n", m.dir),
		base:      map[string]string{old: text(m.lines(5)) + m.id, page: text(m.with(m.lines(m.IntN(20)), "see "+old+" for more"))},
		change:    map[string]string{old: gone},
	}
	if m.one() {
		r.change[m.dir+"/new/moved"] = r.base[old]
	}
	return r
}

func (m *ruleMaker) ifchange() hiddenRule {
	name, target, label := m.file(m.pick(".go", ".js")), m.dir+"/target.txt", m.pick("", "(size)")
	before, block, after := m.lines(m.IntN(5)), m.lines(m.IntN(5)), m.lines(m.IntN(5))
	with := func(value string) string {
		all := append(append(slices.Clone(before), "// LINT.IfChange"+label), block...)
		return text(append(append(all, value, "// LINT.ThenChange(//"+target+")"), after...))
	}
	return hiddenRule{
		text: fmt.Sprintf("ifchange: %q\n", m.files()), base: map[string]string{name: with("old value"), target: "t\n"},
		change: map[string]string{name: with("new value")},
	}
}

func (m *ruleMaker) limit() hiddenRule {
	what := m.pick("files: 1", "added_lines: 3", "bytes: 20", "file_bytes: 20")
	name, lines := m.file(m.ext()), m.lines(3)
	r := hiddenRule{
		text:   fmt.Sprintf("limit: {of: %q, %s}\n", m.files(), what),
		change: map[string]string{name: text(append(m.lines(6), lines...)) + "and so on and so on\n", m.dir + "/second": text(m.lines(5))},
	}
	if m.one() {
		r.base = map[string]string{name: text(lines)}
	}
	return r
}

func (m *ruleMaker) require() string {
	return m.pick("", "require: exists\n", "require: changed\n")
}

func (m *ruleMaker) set() hiddenRule {
	name := strings.TrimPrefix(m.file(".py"), m.dir+"/")
	return hiddenRule{
		text:   fmt.Sprintf("set: ['%s/{path}.py', '%s/{path}_test.js']\n", m.dir, m.dir) + m.require(),
		change: map[string]string{m.dir + "/" + name: text(m.lines(5))},
	}
}

func (m *ruleMaker) pair() hiddenRule {
	name, lines := m.file(m.ext()), m.lines(5)
	r := hiddenRule{
		text:   fmt.Sprintf("pair: {trigger: %q, expects: %q}\n", m.files(), "pages/"+m.id+".md") + m.require(),
		base:   map[string]string{name: text(lines)},
		change: map[string]string{name: text(m.with(lines, "more"))},
	}
	if m.one() {
		r.text = fmt.Sprintf("pair: {trigger: %q, expects: %q}\nrequire: changed_if_exists\n", m.files(), "pages/"+m.id+".md")
		r.base["pages/"+m.id+".md"] = "page\n"
	}
	return r
}

func (m *ruleMaker) created() hiddenRule {
	ext := m.ext()
	r := hiddenRule{text: fmt.Sprintf("created: %q\n", m.files()), change: map[string]string{m.file(ext): text(m.lines(m.IntN(6)))}}
	if m.one() {
		r.text += fmt.Sprintf("expects: 'pages/%s.md'\n", m.id)
	}
	return r
}

func (m *ruleMaker) trigger() hiddenRule {
	name, lines := m.file(m.ext()), m.lines(5+m.IntN(5))
	r := hiddenRule{text: fmt.Sprintf("trigger: %q\n", m.files()), base: map[string]string{name: text(lines)}, change: map[string]string{name: text(m.with(lines, "more"))}}
	switch status := m.pick("", "added", "modified", "deleted", "type_changed"); status {
	case "added":
		r.base = nil
		r.text += "status: added\n"
	case "deleted":
		r.change[name] = gone
		r.text += "status: deleted\n"
	case "type_changed":
		r.change[name] = link + "nowhere"
		r.text += "status: type_changed\n"
	case "modified":
		r.text += "status: [modified, added]\n"
	}
	return r
}

// withLines is a rule about changed files with a line.
func (m *ruleMaker) withLines() hiddenRule {
	regex, line := m.word()
	name, lines := m.file(m.ext()), m.lines(m.IntN(10))
	mode := m.pick(fmt.Sprintf("trigger: %q\n", m.files()), fmt.Sprintf("pair: {trigger: %q, expects: 'pages/%s.md'}\n", m.files(), m.id))
	before, after := text(lines), text(m.with(lines, line))
	key := m.pick("added", "removed", "changed")
	if key == "removed" || key == "changed" && m.one() {
		before, after = after, before
	}
	return hiddenRule{text: mode + fmt.Sprintf("lines: {%s: %q}\n", key, regex), base: map[string]string{name: before}, change: map[string]string{name: after}}
}

// structured returns a file with a value in a random format.
func (m *ruleMaker) structured(ext, value string) string {
	switch ext {
	case ".json":
		return "{\n  \"a\": 1,\n  \"version\": \"" + value + "\"\n}\n"
	case ".toml":
		return "a = 1\nversion = \"" + value + "\"\n"
	}
	return "a: 1\nversion: \"" + value + "\"\n"
}

func (m *ruleMaker) keys() hiddenRule {
	ext := m.pick(".json", ".toml", ".yml")
	file := m.dir + "/p" + ext
	text := fmt.Sprintf("trigger: '%s#/version'\n", file)
	if m.one() {
		text = fmt.Sprintf("pair: {trigger: '%s#/version', expects: 'pages/%s.md'}\n", file, m.id)
	}
	return hiddenRule{text: text, base: map[string]string{file: m.structured(ext, "1.0")}, change: map[string]string{file: m.structured(ext, "1.1")}}
}

func (m *ruleMaker) equal() hiddenRule {
	a, b := m.pick(".json", ".toml", ".yml"), m.pick(".json", ".toml", ".yml")
	one, two := m.dir+"/p"+a, m.dir+"/q"+b
	r := hiddenRule{
		unchanged: true,
		text:      fmt.Sprintf("equal: ['%s#/version', '%s#/version']\n", one, two),
		base:      map[string]string{one: m.structured(a, "1.0"), two: m.structured(b, "1.0")}, change: map[string]string{one: m.structured(a, "1.1")},
	}
	if m.IntN(3) == 0 {
		r.text = fmt.Sprintf("equal: ['%s', '%s']\n", m.dir+"/LICENSE", m.dir+"/sub/LICENSE")
		r.base = map[string]string{m.dir + "/LICENSE": "mine\nall mine\n", m.dir + "/sub/LICENSE": "mine\nall mine\n"}
		r.change = map[string]string{m.dir + "/LICENSE": "yours\nall yours\n"}
	}
	return r
}

func (m *ruleMaker) codeowners() hiddenRule {
	return hiddenRule{
		text: fmt.Sprintf("codeowners: %q\n", m.files()), base: map[string]string{".github/CODEOWNERS": "# owners\n/pages/ @org/docs\n"},
		change: map[string]string{m.dir + "/new/" + m.pick("x", "é", "a b") + ".py": text(m.lines(5))},
	}
}

func (m *ruleMaker) commits() hiddenRule {
	return hiddenRule{text: m.pick("commits: {subject: '^feat: '}\n", "commits: {trailers: Signed-off-by}\n"), committed: true, change: map[string]string{m.dir + "/x": "x\n"}}
}

// command is a rule with a checker that finds something in every file.
func (m *ruleMaker) command() hiddenRule {
	name, lines := m.file(m.pick(".py", ".txt", ".md")), m.lines(5)
	run := m.pick("each_match", "all_matches")
	files := map[string]string{"each_match": "{file}", "all_matches": "{files}"}[run]
	r := hiddenRule{
		checker: true,
		text:    fmt.Sprintf("trigger: '%s/**'\naction: {command: [sh, pages/check.sh, %q], run_for: %s, fix: false}\n", m.dir, files, run),
		base:    map[string]string{"pages/check.sh": "for f in \"$@\"; do test ! -f \"$f\" || exit 1; done\n", name: text(lines)},
		change:  map[string]string{name: text(m.with(lines, "more"))},
	}
	if m.one() {
		delete(r.base, name)
	}
	return r
}

func (m *ruleMaker) policy() hiddenRule {
	name, lines := m.file(m.ext()), m.lines(5)
	return hiddenRule{text: fmt.Sprintf("todo: %q\n", m.files()), base: map[string]string{name: text(lines)}, change: map[string]string{name: text(m.with(lines, "a TODO"))}}
}

func (m *ruleMaker) ignore() hiddenRule {
	ext := m.pick(".go", ".py", ".js")
	name, lines := m.file(ext), []string{"x = 1", "y = 2", "z = 3"}
	parts := m.pick("[comments]", "[comments, whitespace]", "[imports, docstrings]", "[whitespace]")
	return hiddenRule{text: fmt.Sprintf("trigger: %q\nignore: %s\n", m.files(), parts), base: map[string]string{name: text(lines)}, change: map[string]string{name: text(m.with(lines, "v = f(4)"))}}
}

func (m *ruleMaker) when() hiddenRule {
	name := m.file(".py")
	condition := m.pick("when: change.added(%q)\n", "when: change.any(%q)\n", "when: change.count(%q) > 0\n", "unless: change.count(%q) < 1\n", "unless: change.count(%q) == 0\n")
	return hiddenRule{text: fmt.Sprintf("trigger: %q\n", m.files()) + fmt.Sprintf(condition, m.files()), change: map[string]string{name: text(m.lines(5))}}
}

func (m *ruleMaker) session() hiddenRule {
	what := m.pick("make all", "edit")
	rule := map[string]string{"make all": "repeated_command: {pattern: ^make, threshold: 3, window: 600}\n", "edit": "repeated_file_edit: {path_pattern: loop, threshold: 3, window: 600}\n"}[what]
	tokens := 10
	if m.IntN(3) == 0 {
		rule, tokens = "token_budget: {max_tokens: 1000}\n", 500
	}
	change := map[string]string{}
	for _, log := range transcript(what, tokens) {
		change["logs/"+m.id+"/"+session1+".jsonl"] = log
	}
	return hiddenRule{text: rule, change: change, session: true}
}

// hiddenWorld is a repository with rules and a change that breaks all of them.
type hiddenWorld struct {
	*silence

	checker   *checker
	top       string
	rules     []hiddenRule
	templates []hiddenTemplate
	plain     map[state]map[string]bool
}

// hiddenTemplate is the repository with its change on disk, staged and committed. Files may
// have another encoding at the base and in the change.
type hiddenTemplate struct {
	dirs    map[state]string
	encoded string
}

func newHiddenWorld(s *silence, c *checker, number int) *hiddenWorld {
	s.Helper()
	r := rand.New(rand.NewPCG(3333, uint64(number)))
	w := &hiddenWorld{silence: s, checker: c, top: filepath.Join(s.top, fmt.Sprintf("world%d", number)), plain: map[state]map[string]bool{}}
	s.must(os.Mkdir(w.top, 0o755))
	if os.Getuid() == 0 {
		s.must(os.Chown(w.top, stranger, stranger))
	}
	order := r.Perm(len(hiddenModes))
	for i := range 4 + r.IntN(4) {
		m := &ruleMaker{Rand: r, id: fmt.Sprintf("r%d", i)}
		m.dir = m.id + m.pick("", "", "é", " x")
		if mode := order[i]; mode == plainNames {
			m.dir = m.id
		}
		rule := hiddenModes[order[i]](m)
		rule.id = m.id
		if strings.HasPrefix(rule.text, "forbid") && m.dir == m.id && m.one() { // a rule of the directory
			rule.id = m.dir + ":" + m.id
			rule.text = strings.Replace(rule.text, m.files(), "**", 1)
		}
		w.rules = append(w.rules, rule)
	}
	for variant := range 3 {
		t := hiddenTemplate{dirs: map[state]string{}}
		encode := func(_ hiddenRule, _, text string) string { return text }
		if variant > 0 {
			t.encoded, encode = drawEncoding(r)
		}
		w.build(&t, variant, r.IntN(4) == 0, encode)
		w.templates = append(w.templates, t)
	}
	for state, heads := range map[state][][]string{onDisk: {nil}, staged: {nil, {"--staged"}}, committed: {nil, {"--staged"}, {"--to", "HEAD"}}} {
		for _, head := range heads {
			reply := c.check(w.templates[0].dirs[state], nil, append([]string{"--format", "json", "--strict", "--since", "trunk"}, head...)...)
			found, err := w.findings(reply)
			if err != nil || reply.Status != 1 {
				s.Errorf("world %d: exit status %d of the complete repository, %v; want 1:\n%s%s", number, reply.Status, err, reply.Stdout, reply.Stderr)
			}
			w.plain[state] = found
			for _, rule := range w.rules {
				if !(rule.committed && state != committed) && !hasRule(found, rule.id) { //nolint:staticcheck // easier to read
					s.Errorf("world %d: rule %s finds nothing with %q:\n%s%q\n%q\n%s", number, rule.id, head, rule.text, rule.base, rule.change, verbose(reply.Stdout))
				}
			}
		}
	}
	return w
}

func hasRule(found map[string]bool, id string) bool {
	for f := range found {
		if strings.HasPrefix(f, id+" ") {
			return true
		}
	}
	return false
}

func (w *hiddenWorld) build(t *hiddenTemplate, variant int, packed bool, encode func(of hiddenRule, name, text string) string) {
	w.Helper()
	dir := filepath.Join(w.top, fmt.Sprintf("plain%d", variant))
	b := &silentWorld{silence: w.silence, dir: dir}
	w.must(os.Mkdir(dir, 0o755))
	b.own()
	b.git("init", "-q", "-b", "trunk", "--template=")
	files := map[string]string{
		".rulecheck/config.yml": configuration, ".rulecheck/policies/todo.rego": policy,
		"pages/README":   "pages\n",
		"logs/old.jsonl": `{"type":"user","uuid":"u","sessionId":"old","cwd":"/repo","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}` + "\n",
	}
	for _, r := range w.rules {
		dir, name, nested := strings.Cut(r.id, ":")
		if !nested {
			dir, name = "", r.id
		}
		files[filepath.Join(dir, ".rulecheck/rules", name+".md")] = "---\n" + r.text + "---\nLook at it.\n"
	}
	w.put(dir, hiddenRule{}, files, nil)
	for _, r := range w.rules {
		w.put(dir, r, r.base, encode)
	}
	b.own()
	b.git("add", "-A")
	b.git("commit", "-qm", "base")
	b.git("checkout", "-qb", "topic")
	if packed {
		b.git("repack", "-qad")
		b.git("pack-refs", "--all")
	}
	for _, r := range w.rules {
		w.put(dir, r, r.change, encode)
	}
	b.own()
	keep := func(s state) {
		t.dirs[s] = filepath.Join(w.top, fmt.Sprintf("template%d-%d", variant, s))
		if out, err := w.run(w.top, nil, nil, "cp", "-a", dir, t.dirs[s]); err != 0 {
			w.Fatal(out)
		}
	}
	keep(onDisk)
	b.git("add", "-A")
	keep(staged)
	b.git("commit", "-qm", "change")
	keep(committed)
}

// put writes, links and deletes files.
func (w *hiddenWorld) put(dir string, of hiddenRule, files map[string]string, encode func(of hiddenRule, name, text string) string) {
	w.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		w.must(os.MkdirAll(filepath.Dir(full), 0o755))
		target, isLink := strings.CutPrefix(text, link)
		if text == gone || isLink {
			w.must(os.Remove(full))
		}
		switch {
		case isLink:
			w.must(os.Symlink(target, full))
		case text != gone:
			if !of.session && name != ".github/CODEOWNERS" && encode != nil {
				text = encode(of, name, text)
			}
			w.must(os.WriteFile(full, []byte(text), 0o644))
		}
	}
}
