package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	godiff "github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// editor is a client of the language server, by the pipes of a process.
type editor struct {
	t    *testing.T
	repo *gittest.Repository
	in   io.WriteCloser
	out  *bufio.Reader
	cmd  *exec.Cmd
	last int
	open map[string]string   // texts by path
	has  map[string][]string // diagnostics by path

	result  json.RawMessage   // of the last answer
	unsaved map[string]string // texts by path
}

// newEditor starts the server in a repository.
func newEditor(t *testing.T, repo *gittest.Repository) *editor {
	t.Helper()
	e := &editor{t: t, repo: repo, open: map[string]string{}, has: map[string][]string{}, unsaved: map[string]string{}}
	e.cmd = e.program("lsp")
	e.cmd.Dir, e.cmd.Stderr = filepath.Dir(repo.Dir), t.Output()
	in, err := e.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e.in, e.out = in, bufio.NewReader(out)
	e.ask("initialize", map[string]any{"rootUri": e.uri(""), "capabilities": map[string]any{}})
	e.notify("initialized", map[string]any{})
	return e
}

// program returns a run of the program in the repository. LSP_PROGRAM may name a built one, which starts faster than the test.
func (e *editor) program(args ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(os.Getenv("LSP_PROGRAM"), "rulecheck"), args...)
	cmd.Dir, cmd.Env = e.repo.Dir, e.repo.Env
	return cmd
}

// close ends the server as the protocol says.
func (e *editor) close() {
	e.t.Helper()
	e.ask("shutdown", nil)
	e.notify("exit", nil)
	if err := e.cmd.Wait(); err != nil {
		e.t.Errorf("the server ended with %v", err)
	}
}

func (e *editor) uri(path string) string {
	return "file://" + filepath.ToSlash(filepath.Join(e.repo.Dir, path))
}

func (e *editor) send(m map[string]any) {
	e.t.Helper()
	m["jsonrpc"] = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	e.send(map[string]any{"method": method, "params": params})
}

// ask sends a request and waits for its answer.
func (e *editor) ask(method string, params any) {
	e.t.Helper()
	e.last++
	e.send(map[string]any{"id": e.last, "method": method, "params": params})
	for e.read() != e.last {
	}
}

// read reads one message, keeps the diagnostics in it, and returns the id of an answer.
func (e *editor) read() int {
	e.t.Helper()
	header, err := textproto.NewReader(e.out).ReadMIMEHeader()
	if err != nil {
		e.t.Fatal(err)
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		e.t.Fatal(err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(e.out, text); err != nil {
		e.t.Fatal(err)
	}
	var m struct {
		ID     int
		Method string
		Error  any
		Result json.RawMessage
		Params struct {
			URI         string
			Diagnostics []struct {
				Range    struct{ Start struct{ Line int } }
				Severity int
				Code     string
				Message  string
			}
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		e.t.Fatal(err)
	}
	if m.Error != nil {
		e.t.Errorf("%s", text)
	}
	if m.Params.URI != "" {
		var list []string
		for _, d := range m.Params.Diagnostics {
			list = append(list, fmt.Sprint(d.Range.Start.Line+1, " ", d.Severity, " ", d.Code, " ", d.Message))
		}
		slices.Sort(list)
		u, err := url.Parse(m.Params.URI)
		if err != nil {
			e.t.Fatal(err)
		}
		path, err := filepath.Rel(e.repo.Dir, u.Path)
		if err != nil {
			e.t.Fatal(err)
		}
		e.has[path] = list
		if len(list) == 0 {
			delete(e.has, path)
		}
	}
	if m.Method != "" {
		return 0
	}
	e.result = m.Result
	return m.ID
}

// past compares the lenses about the past of a saved rule with a replay of it. If one of them does not know it all, both look
// again: an evaluation ends after seconds, and this machine may have been busy or stopped. Lenses that never come end the test
// by its timeout.
func (e *editor) past(path string) (diff string) {
	e.t.Helper()
	for range 20 {
		want, why := e.replayed(path)
		got := e.lenses(path)
		for len(got) == 0 && len(want) > 0 {
			time.Sleep(5 * time.Millisecond) // it is looked up in the background
			got = e.lenses(path)
		}
		if diff = godiff.Diff(want, got); diff == "" {
			break
		}
		if diff += why; !strings.Contains(fmt.Sprint(want, got), ", not known in ") {
			break
		}
		e.check()
	}
	return diff
}

// replayed returns what a replay of a rule counts, in the form of the lenses, and its messages.
func (e *editor) replayed(path string) (want []string, why string) {
	e.t.Helper()
	var messages strings.Builder
	cmd := e.program("replay", "-n", "200", "--format", "json", strings.TrimSuffix(filepath.Base(path), ".md"))
	cmd.Stderr = &messages
	text, _ := cmd.Output() // the rule may be broken, or gone
	var r struct {
		Units  int
		Unread []any
		Rules  []struct {
			Fired, Unknown int
			NotRun         int `json:"not_run"`
			Commits        []struct {
				Commit string
				Waived bool
			}
		}
	}
	if json.Unmarshal(text, &r) != nil || len(r.Rules) != 1 || r.Units == 0 {
		return nil, messages.String()
	}
	of := r.Rules[0]
	title := fmt.Sprintf("fired in %d of %d commit", of.Fired, r.Units)
	if r.Units != 1 {
		title += "s"
	}
	if n := of.Unknown + of.NotRun + len(r.Unread); n > 0 {
		title += fmt.Sprintf(", not known in %d", n)
	}
	want = []string{title}
	for _, c := range of.Commits {
		if !c.Waived && len(want) <= 3 {
			want = append(want, c.Commit[:7])
		}
	}
	return want, messages.String()
}

// lenses returns the lenses about the past of a rule.
func (e *editor) lenses(path string) (titles []string) {
	e.t.Helper()
	e.ask("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": e.uri(path)}})
	var lenses []struct{ Command struct{ Title string } }
	if err := json.Unmarshal(e.result, &lenses); err != nil {
		e.t.Fatalf("%v: %s", err, e.result)
	}
	for _, l := range lenses {
		switch title := l.Command.Title; {
		case strings.Contains(title, ": matches "):
		case len(titles) > 0:
			titles = append(titles, title[:7]) // of a commit
		default:
			titles = append(titles, title)
		}
	}
	return titles
}

// check asks for a check. It is answered after what was asked for before.
func (e *editor) check() {
	e.t.Helper()
	e.ask("workspace/executeCommand", map[string]any{"command": "rulecheck.check"})
}

// save opens a file, as it is, and saves it.
func (e *editor) save(path string) {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join(e.repo.Dir, path))
	if err != nil {
		text = nil // it was deleted
	}
	if _, ok := e.open[path]; ok {
		e.replace(path, string(text))
	} else {
		e.begin(path, string(text))
	}
	e.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.uri(path)}})
	delete(e.unsaved, path)
}

// begin opens a document.
func (e *editor) begin(path, text string) {
	e.t.Helper()
	e.open[path] = text
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(path), "text": text, "version": 1, "languageId": "x"}})
}

// replace replaces the text of an open document.
func (e *editor) replace(path, text string) {
	e.t.Helper()
	e.open[path] = text
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri(path)}, "contentChanges": []any{map[string]any{"text": text}}})
}

// write edits a document and does not save it.
func (e *editor) write(path, text string) {
	e.t.Helper()
	if _, ok := e.open[path]; !ok {
		saved, err := os.ReadFile(filepath.Join(e.repo.Dir, path))
		if err != nil {
			saved = nil
		}
		e.begin(path, string(saved))
	}
	e.replace(path, text)
	e.unsaved[path] = text
}

// withUnsaved calls do with the repository, or with a copy of it in which the texts that are not saved are in the place of their
// files: the server, which may be looking up a past, must not see them there.
func (e *editor) withUnsaved(do func(dir string)) {
	e.t.Helper()
	if len(e.unsaved) == 0 {
		do(e.repo.Dir)
		return
	}
	dir, err := os.MkdirTemp(filepath.Dir(e.repo.Dir), "copy")
	if err != nil {
		e.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(e.repo.Dir)); err != nil {
		e.t.Fatal(err)
	}
	for path, text := range e.unsaved {
		name := filepath.Join(dir, path)
		before, err := os.ReadFile(name)
		if _, none := os.Stat(filepath.Dir(name)); none != nil || err == nil && !utf8.Valid(before) {
			continue // how it would be saved is not known
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			e.t.Fatal(err)
		}
	}
	do(dir)
}

// killGit kills processes that the server has started, if it finds any.
func (e *editor) killGit() {
	for range 20 {
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", e.cmd.Process.Pid))
		for _, list := range lists {
			children, _ := os.ReadFile(list)
			for id := range strings.FieldsSeq(string(children)) {
				pid, err := strconv.Atoi(id)
				if process, err2 := os.FindProcess(pid); err == nil && err2 == nil {
					_ = process.Kill() // it may have ended
				}
			}
		}
	}
}

// fresh returns what a run of the program finds in a directory, in the form that the editor has.
func (e *editor) fresh(dir string, args ...string) map[string][]string {
	e.t.Helper()
	cmd := e.program(append([]string{"--no-commands", "--format", "json"}, args...)...)
	cmd.Dir = dir
	text, _ := cmd.Output()
	var r struct {
		Findings []struct {
			Rule, Level, Path, Message string
			Line                       int
			Waiver                     any
		}
		Errors []struct {
			File, Code, Message string
			Line, Column        int
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		e.t.Fatalf("%v: %s", err, text)
	}
	all := map[string][]string{}
	for _, f := range r.Findings {
		if f.Waiver == nil {
			severity := map[string]int{"error": 1, "warning": 2, "note": 3}[f.Level]
			all[f.Path] = append(all[f.Path], fmt.Sprint(f.Line, " ", severity, " ", f.Rule, " ", f.Message))
		}
	}
	for _, p := range r.Errors {
		if _, err := os.Lstat(filepath.Join(dir, p.File)); err == nil && p.File != "" {
			all[p.File] = append(all[p.File], fmt.Sprint(p.Line, " 1 ", p.Code, " ", p.Message))
			continue
		}
		if p.File != "" {
			p.Message = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
		}
		for path := range e.open {
			all[path] = append(all[path], "1 1 not_evaluated could not be checked: "+p.Message)
		}
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all
}

// TestLanguageServerLaw edits repositories at random, and checks that an editor has after each
// save what a fresh run finds. LSP_LAW sets how many steps are tried.
func TestLanguageServerLaw(t *testing.T) {
	t.Parallel()
	steps := lawtest.Cases(t, "LSP_LAW", 30)
	random := rand.New(rand.NewPCG(41, uint64(steps)))
	counts := map[string]int{}
	for done := 0; done < steps; {
		repo := gittest.New(t)
		dir, err := filepath.EvalSymlinks(repo.Dir)
		if err != nil {
			t.Fatal(err)
		}
		repo.Dir = dir
		repo.Rule("pair", "---\npair: {trigger: \"src/{path}.py\", expects: \"tests/{path}_test.py\"}\n---\nTest.\n")
		repo.Rule("set", "---\nset: [\"docs/{n}.md\", \"src/{n}.py\"]\nlevel: warning\n---\nBoth.\n")
		for _, name := range []string{"a", "b", "c"} {
			repo.Write("src/"+name+".py", "1\n2\n3\n")
			repo.Write("docs/"+name+".md", "1\n")
			repo.Write("tests/"+name+"_test.py", "1\n")
		}
		repo.Commit("first")
		repo.Git("checkout", "-q", "-b", "other")
		e := newEditor(t, repo)
		for range min(100, steps-done) {
			what, path := changeAtRandom(repo, random)
			counts[what]++
			done++
			before := gitDirectory(t, repo)
			switch {
			case random.IntN(3) == 0:
				text, err := os.ReadFile(filepath.Join(repo.Dir, path))
				if err == nil && random.IntN(2) == 0 {
					text = append([]byte("typed\n"), text...)
				}
				e.write(path, strings.ToValidUTF8(string(text), "?")+strings.Repeat("more\n", random.IntN(3)))
				counts["type"]++
			default:
				e.save(path)
			}
			if what == "kill" {
				e.killGit()
			}
			e.check()
			if diff := godiff.Diff(before, gitDirectory(t, repo)); diff != "" {
				t.Fatalf("after %d steps, %s of %s: the server wrote to git's directory:\n%s", done, what, path, diff)
			}
			for _, rule := range slices.Sorted(maps.Keys(e.open)) {
				text, err := os.ReadFile(filepath.Join(repo.Dir, rule))
				if _, typed := e.unsaved[rule]; typed || err != nil || string(text) != e.open[rule] || !strings.HasPrefix(rule, ".rulecheck/rules/") || rule != path && random.IntN(4) > 0 {
					continue
				}
				if diff := e.past(rule); diff != "" {
					t.Fatalf("after %d steps, %s of %s, the past of %s (-replay +editor):\n%s", done, what, path, rule, diff)
				}
				counts["past"]++
			}
			diff, refused, slow := "", false, false
			e.withUnsaved(func(dir string) {
				want := e.fresh(dir)
				diff = godiff.Diff(want, e.has)
				slow = strings.Contains(fmt.Sprint(want, e.has), "no answer within")
				refused = diff != "" && len(e.unsaved) > 0 && strings.Contains(fmt.Sprint(e.fresh(dir, "--git", "embedded")), "needs the git program")
			})
			switch {
			case slow: // a busy machine
				counts["slow"]++
			case refused: // what is saved is shown, with the errors in unsaved rules
				counts["refused"]++
			case diff != "":
				t.Fatalf("after %d steps, %s of %s, unsaved %q (-fresh +editor):\n%s", done, what, path, e.unsaved, diff)
			}
		}
		e.close()
		t.Logf("%d steps: %v", done, counts)
	}
}

// gitDirectory describes the files in the directory of git, by name.
func gitDirectory(t *testing.T, repo *gittest.Repository) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Join(repo.Dir, ".git"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			files[path] = fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// changeAtRandom changes a repository as people do, and returns what it did, and a file that is saved then.
func changeAtRandom(repo *gittest.Repository, random *rand.Rand) (what, path string) {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	name := pick("a", "b", "c", "d", "e é")
	file := pick("src/"+name+".py", "docs/"+name+".md", "tests/"+name+"_test.py", "sub/src/"+name+".py")
	full := filepath.Join(repo.Dir, file)
	try := func(args ...string) { // git may refuse, which is a state too
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = repo.Dir, repo.Env
		_ = cmd.Run()
	}
	switch what = pick("edit", "edit", "edit", "delete", "rename", "checkout", "stash", "pop", "stage", "commit", "waive", "rule", "rule", "break", "configure", "nest", "forget", "policy", "workflow", "kill"); what {
	case "edit":
		repo.Write(file, strings.Repeat("line\n", random.IntN(4))+pick("", "  x = 1\n", "\ty\r\n", "\xff\n"))
	case "delete":
		_ = os.Remove(full)
	case "rename":
		try("mv", file, pick("src/", "docs/", "tests/")+pick("a", "b", "new")+pick(".py", ".md", "_test.py"))
	case "checkout":
		try("checkout", "-q", pick("main", "other"))
	case "stash":
		try("stash", "-q", "-u")
	case "pop":
		try("stash", "pop", "-q")
	case "stage":
		try("add", "-A")
	case "commit":
		try("add", "-A")
		try("commit", "-q", "-m", "one more")
	case "waive":
		try("add", "-A")
		try("commit", "-q", "-m", "waived\n\nRulecheck-Waive: pair: "+pick("it is small", "tests follow"))
	case "rule":
		file = ".rulecheck/rules/" + pick("pair", "set", "new") + ".md"
		repo.Write(file, "---\n"+pick("trigger: \"src/**\"", "created: \"docs/{n}.md\"", "pair: {trigger: \"src/{path}.py\", expects: \"tests/{path}_test.py\"}")+
			pick("", "\nlevel: note", "\nexclude: src/a.py", "\nname: Same")+"\n---\nDo it.\n")
	case "break":
		file = ".rulecheck/rules/" + pick("pair", "set", "new") + ".md"
		repo.Write(file, pick("", "no frontmatter\n", "---\ntrigger: \"[\"\n---\nx\n", "---\ntrigger: x\nlevel: hgih\nset: [a]\n---\n", "---\nwhen: \"((\"\ntrigger: x\n---\nx\n"))
	case "configure":
		file = ".rulecheck/config.yml"
		repo.Write(file, pick("", "exclude: [\"docs/**\"]\n", "fail_onn: error\n", "rules: {enabled: false}\n", "jobs: 0\n"))
	case "nest":
		file = "sub/.rulecheck/rules/inner.md"
		repo.Write(file, pick("---\ntrigger: \"src/{n}.py\"\n---\nInner.\n", "---\ntriger: x\n---\nx\n"))
	case "forget":
		file = ".rulecheck/rules/" + pick("pair", "set", "new") + ".md"
		_ = os.Remove(filepath.Join(repo.Dir, file))
	case "policy":
		file = ".rulecheck/policies/own.rego"
		repo.Write(file, "# METADATA\n# title: Own\n# description: Own.\n# custom:\n#   params:\n#     own: patterns\npackage rulecheck.modes.own\n\n"+
			pick("violations contains v if {\n\tsome m in input.matches.own\n\tv := {\"path\": m.path, \"message\": \"own\"}\n}\n", "violations contains x if input.none\n", "violations {\n"))
	case "workflow":
		file = ".rulecheck/workflows/work.yaml"
		repo.Write(file, pick("phases:\n  - name: one\n", "phases:\n  - nme: one\n", "nodes: 1\n", ""))
	case "kill": // the test does it while the server checks
	}
	return what, file
}
