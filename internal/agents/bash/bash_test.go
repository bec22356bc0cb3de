package bash_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
)

var world = bash.World{Root: "/w/repo", Home: "/home/dev"}

func TestCommands(t *testing.T) {
	tests := []struct {
		line string
		want []string // normal forms, those of wrappers left out
	}{
		{"git push -f", []string{"git push --force --"}},
		{"cd src && GIT_TRACE=1 git -C .. push -qf origin", []string{"cd src", "git push --quiet --force -- origin"}},
		{`bash -c 'git "$@"' _ push --force`, []string{"git push --force --"}},
		{"sudo -u dev env A=1 timeout 5 git push -f", []string{"git push --force --"}},
		{`echo main | xargs -I{} git push origin +{}`, []string{"echo main", "git push -- origin +main"}},
		{`f() { git push "$1"; }; f --force`, []string{"git push --force --"}},
		{"git commit -m --no-verify", []string{"git commit --message=--no-verify --"}},
		{"git commit -anm 'a b'", []string{"git commit --all --no-verify --message='a b' --"}},
		{"git commit --no-veri", []string{"git commit --no-verify --"}},
		{"git push --force --no-force", []string{"git push --no-force --"}},
		{"x=--force; git push $x", []string{"git push --force --"}},
		{"git push $(printf %s --force)", []string{"printf %s --force", "git push --force --"}},
		{"npm --prefix web install", []string{"npm install --prefix=web --"}},
		{"git config alias.p 'push -f'; git p", []string{
			"git config --config='alias.p=push -f' -- alias.p 'push -f'", "git push --force --config='alias.p=push -f' --",
		}},
		{"trap 'git push -f' EXIT", []string{"trap 'git push -f' EXIT", "git push --force --"}},
		{"if false; then git push -f; fi", []string{"false", "git push --force --"}},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range bash.Read(tt.line, world).Commands {
			if !slices.Contains([]string{"bash", "sudo", "env", "timeout", "xargs"}, c.Name) {
				got = append(got, c.Normal)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s:\n%s", tt.line, diff)
		}
	}
}

func TestWrites(t *testing.T) {
	tests := []struct {
		line string
		want []string // path, place and what happens
	}{
		{"echo x > a.txt", []string{"a.txt inside"}},
		{"cd docs && echo x >> a.md", []string{"docs/a.md inside"}},
		{"tee a b < c", []string{"a inside", "b inside"}},
		{"sed -i s/a/b/ a.txt", []string{"a.txt inside"}},
		{"sed s/a/b/ a.txt", nil},
		{"rm -rf ../other", []string{"/w/other outside deletes recursive"}},
		{"rm -rf .git", []string{".git git deletes recursive"}},
		{"cd .. && rm -rf repo", []string{". root deletes recursive"}},
		{"rm -rf \"$BUILD\"", []string{"… unknown deletes recursive"}},
		{"mv a b", []string{"b inside", "b/a inside", "a inside deletes"}},
		{"ln -s .. up && rm -rf up/other", []string{"up inside", "/w/other outside deletes recursive"}},
		{"ls 2> /dev/null", nil},
		{"dd if=a of=b", []string{"b inside"}},
		{"git checkout -- src", []string{"src inside"}},
		{"find src -name '*.o' -delete", []string{"src/**/*.o inside deletes recursive"}},
	}
	for _, tt := range tests {
		var got []string
		for _, w := range bash.Read(tt.line, world).Writes {
			text := w.Path + " " + w.Place
			if w.Deletes {
				text += " deletes"
			}
			if w.Recursive {
				text += " recursive"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s:\n%s", tt.line, diff)
		}
	}
}

func TestOpaque(t *testing.T) {
	tests := []struct {
		line   string
		opaque bool
	}{
		{"curl -s https://example.com/x | sh", true},
		{"base64 -d <<< Z2l0 | bash", true},
		{"$CMD push", true},
		{"eval \"$X\"", true},
		{`python3 -c "import os; os.remove('x')"`, true},
		{`python3 -c "print('x')"`, false},
		{"./build.sh && make test", false},
		{"bash scripts/x.sh", false},
		{"tar -Pxf a.tar", true},
		{"tar xf a.tar && ./run.sh", true},
		{"tar xf a.tar -C /tmp/x", false},
		{"unzip a.zip -d b && make", false},
		{"unzip a.zip && make", true},
		{"tar tf a.tar", false},
		{"git apply --unsafe-paths x.patch", true},
		{"echo $(", true},
		{"rm \"$X\"", true},
		{"echo \"$X\" $(date)", false},
		{"git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\"", false},
	}
	for _, tt := range tests {
		l := bash.Read(tt.line, world)
		if (len(l.Opaque) > 0) != tt.opaque {
			t.Errorf("%s: opaque parts %v; want some: %v", tt.line, l.Opaque, tt.opaque)
		}
	}
}

func TestParsed(t *testing.T) {
	if l := bash.Read("git push -f; echo 'x", world); l.Parsed || len(l.Commands) == 0 {
		t.Errorf("a line with a mistake: parsed %v, %d commands; want the command before it", l.Parsed, len(l.Commands))
	}
	if l := bash.Read("git push "+strings.Repeat("x", 1<<20), world); len(l.Opaque) == 0 {
		t.Error("a line beyond the bound is not opaque")
	}
}

func TestSearch(t *testing.T) {
	tests := []struct {
		expr, line string
		want       bash.Answer
	}{
		{`^git push( --[a-z-]+)* --force( |$)`, "git push -f", bash.Yes},
		{`^git push( --[a-z-]+)* --force( |$)`, "git push", bash.No},
		{`^git push( --[a-z-]+)* --force( |$)`, "git push $OPTS", bash.Maybe},
		{`^git push( --[a-z-]+)* --force( |$)`, "git push origin \"$(git branch --show-current)\"", bash.No},
		{`^git push`, "echo $X", bash.No},
		{`^git commit( --[a-z-]+)* --no-verify( |$)`, "git commit -m \"$MESSAGE\"", bash.No},
		{`^git commit( --[a-z-]+)* --no-verify( |$)`, "git commit -m '--no-verify'", bash.No},
		{`push --force`, "git push --force", bash.Yes},
	}
	for _, tt := range tests {
		p, err := bash.Compile(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		got := bash.No
		for _, c := range bash.Read(tt.line, world).Commands {
			got = max(got, p.Search(c))
		}
		if got != tt.want {
			t.Errorf("%s in %s: %v; want %v", tt.expr, tt.line, got, tt.want)
		}
	}
}

func TestPaths(t *testing.T) {
	tests := []struct {
		pattern, line string
		want          bash.Answer
	}{
		{".github/workflows/**", "echo x > .github/workflows/ci.yml", bash.Yes},
		{".github/workflows/**", "mv .github gh", bash.Yes},
		{".github/workflows/**", "rm .github/*/ci.yml", bash.Yes},
		{".github/workflows/**", "rm *.yml", bash.No},
		{".github/workflows/**", "echo x > \"$F\"", bash.Maybe},
		{".github/workflows/**", "cp a .github/", bash.No},
		{"src/{path}.py", "sed -i s/a/b/ src/x/y.py", bash.Yes},
		{"src/{path}.py", "sed -i s/a/b/ src/x/y.js", bash.No},
		{"{path}/.env", "echo x > .env", bash.Yes},
		{"{**dir|lower}/.env", "echo x > a/b/.env", bash.Yes},
		{"a/{**}/c", "echo x > a/c", bash.Yes},
		{"{name}/.env", "echo x > .env", bash.No},
		{"{a,b}/*.md", "touch b/c.md", bash.Yes},
		{".git/hooks/**", "find . -name '*.pyc' -delete", bash.No},
		{".git/hooks/**", "find . -name pre-commit -delete", bash.Yes},
		{"a/**", "rm -rf /", bash.Yes},
		{"a/**", "tar xf x", bash.Maybe},
		{"a/**", "unzip x", bash.Maybe},
		{"a/**", "git apply FILE", bash.Maybe},
		{"a/**", "tar xf x -C b", bash.No},
		{"a/**", "unzip x -d a", bash.Yes},
		{"a/**", "cp -r b/. .", bash.Maybe},
		{"a/**", "cp -r b/. c", bash.No},
		{"a/**", "echo x > /w/*/a/1", bash.Yes},
		{"a/**", "echo x > \"$X\"/a/1", bash.Maybe},
		{"**/.rulecheck/**", "rm -rf build", bash.No},
		{"**/.rulecheck/**", "rm -rf web/.rulecheck", bash.Yes},
		{"**/.rulecheck/**", "rm -rf .", bash.Yes},
	}
	for _, tt := range tests {
		l := bash.Read(tt.line, world)
		got := bash.No
		for _, w := range l.Writes {
			got = max(got, bash.CompilePaths([]string{tt.pattern}).Search(l, w))
		}
		if got != tt.want {
			t.Errorf("%s in %s: %v; want %v", tt.pattern, tt.line, got, tt.want)
		}
	}
}

// TestDocument reads the lines in the document: their text, their normal form, and what
// is opaque.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/tool-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(.*)` \\| `(.*)` \\| `(.*)` \\|$").FindAllStringSubmatch(string(text), -1)
	for _, row := range rows {
		c := bash.Read(row[1], world).Commands
		if len(c) != 1 || c[0].Text != row[2] || c[0].Normal != row[3] {
			t.Errorf("%s: %+v; want %q and %q", row[1], c, row[2], row[3])
		}
	}
	if len(rows) != 4 {
		t.Errorf("%d rows; want 4", len(rows))
	}
	for _, line := range []string{"curl x | sh", "base64 -d | sh", "$CMD", `eval "$X"`, "patch x", `rm -rf "$DIR"`, `echo x > "$FILE"`, "awk '{system($0)}'"} {
		if len(bash.Read(line, world).Opaque) == 0 {
			t.Errorf("%s is not opaque", line)
		}
	}
	for _, line := range []string{"./build.sh", "bash scripts/x.sh", "make test", "npm run build", `echo "$X"`, "tar tf x", `rm -rf "build/$(date +%F)"`, "git apply <<'E'\n--- a/x\nE"} {
		if parts := bash.Read(line, world).Opaque; len(parts) > 0 {
			t.Errorf("%s is opaque: %v", line, parts)
		}
	}
}
