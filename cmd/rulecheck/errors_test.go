package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestEveryCommandHasHelp asks each command for it.
func TestEveryCommandHasHelp(t *testing.T) {
	var all [][]string
	subcommands(func(cmd *cobra.Command) { all = append(all, strings.Fields(cmd.CommandPath())[1:]) })
	for _, words := range all {
		status, stdout, stderr := called(t, os.Environ(), append(slices.Clone(words), "--help")...)
		if status != 0 || stderr != "" || !strings.Contains(stdout, "\nExamples:\n  rulecheck") {
			t.Errorf("%s --help: status %d, %s%s", strings.Join(words, " "), status, stdout, stderr)
		}
	}
}

// called runs the program in this process, in its directory.
func called(t *testing.T, env []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &process{args: args, env: env, stdout: &out, stderr: &errs, stdin: strings.NewReader("")}
	return p.run(t.Context()), out.String(), errs.String()
}

// mistakes creates the repositories of TestErrors.
const mistakes = `
git init -q sound; cd sound
rule() { printf -- '---\n%s\n---\n%s\n' "$2" "$3" >".rulecheck/rules/$1.md"; }
mkdir -p .rulecheck/rules src
rule readme 'trigger: src/**' Look.
echo a >src/a.py
git add -A; git commit -qm one
git switch -qc topic; echo b >src/a.py; git commit -qam two
echo not json >event.json; echo '{"before": "main"}' >odd.json
cd ..

git init -q malformed; cd malformed
mkdir -p .rulecheck/rules .rulecheck/policies
rule key 'trigegr: src/**' Look.
rule none 'name: x' Look.
rule two "$(printf 'trigger: a\ncreated: b')" Look.
rule quote 'trigger: *.py' Look.
rule pattern 'trigger: "./src"' Look.
rule empty 'trigger: a' ''
rule level "$(printf 'trigger: a\nlevel: fatal')" Look.
rule when "$(printf 'trigger: a\nwhen: head.brnch == "x"')" Look.
rule argv "$(printf 'trigger: a\naction: {command: "a && b"}')" ''
rule alias "$(printf 'trigger: a\nseverity: warning')" Look.
rule glob 'files: a' Look.
rule if "$(printf 'trigger: a\nif: "true"')" Look.
rule run "$(printf 'trigger: a\nrun: gofmt')" Look.
rule 'my rule' 'trigger: a' Look.
printf -- '---\ntrigger: a\n' >.rulecheck/rules/open.md
rule captures "$(printf 'pair: {trigger: "a/{x}", expects: "b/{y}"}')" Look.
echo '# no frontmatter' >.rulecheck/rules/plain.md
rule root 'trigger: /src/**' Look.
rule folder 'trigger: src/' Look.
rule negated 'trigger: "!src/**"' Look.
rule bracket 'trigger: "src/[a"' Look.
rule pipe "$(printf 'trigger: a\naction: {command: "cat a | sort"}')" ''
echo 'trigger: a' >.rulecheck/rules/st.yml
mkdir .rulecheck/rules/deep; cp .rulecheck/rules/key.md .rulecheck/rules/deep/
printf 'rulez: {}\nfail_on: never\nextends: [bundled/goo]\n' >.rulecheck/config.yml
printf 'package rulecheck.main\n' >.rulecheck/policies/main.rego
printf '# METADATA\n# title: P\n# description: P.\n# custom:\n#   params:\n#     packages: patterns\n#     packages.max: integer\npackage rulecheck.modes.packages\n' >.rulecheck/policies/packages.rego
git add -A; git commit -qm one
cd ..

git init -q renamed; cd renamed
mkdir -p .rulecheck/rules; rule readme 'trigger: src/**' Look.; echo 'fail_on: note' >.rulecheck/config.yaml; git add -A; git commit -qm one
cd ..

git init -q program; cd program
mkdir -p .rulecheck/rules; rule fmt "$(printf 'trigger: a\naction: {command: [nosuchprogram, "{file}"]}')" ''
git add -A; git commit -qm one; git switch -qc topic; echo a >a; git add a; git commit -qm two
cd ..

git init -q middle; cd middle
mkdir -p .rulecheck/rules; rule readme 'trigger: a' Look.; git add -A; git commit -qm one
git switch -qc topic; echo a >a; git add a; git commit -qm two -m 'Rulecheck-Waive: readme it is fine' -m 'More text.'
cd ..

git init -q needs; cd needs
mkdir .rulecheck; echo 'min_version: "one"' >.rulecheck/config.yml; git add -A; git commit -qm one
cd ..

git -C sound switch -q main
git clone -q --depth 1 --branch topic "file://$PWD/sound" shallow
git -C sound switch -q topic
git -C shallow fetch -q --depth 1 origin main:refs/remotes/origin/main

git clone -q sound unmerged; cd unmerged
git switch -qc other HEAD^; echo c >src/a.py; git commit -qam three
git merge -q topic >/dev/null 2>&1 || true
cd ..

git init -q --bare bare
mkdir nowhere
`

// TestErrors compares the messages for common mistakes.
func TestErrors(t *testing.T) {
	needBash(t)
	home, dir := t.TempDir(), t.TempDir()
	env := append(isolated(t, home), "GIT_CEILING_DIRECTORIES="+dir)
	sh(t, env, dir, mistakes)
	github := []string{"CI=true", "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push"}
	for _, test := range []struct {
		in     string // the repository
		args   string
		env    []string
		status int
		next   string // the next step, a regular expression
	}{
		{"sound", "chek", nil, 2, `unknown command "chek"; did you mean "check"\?; for a path`},
		{"sound", "doctr", nil, 2, `did you mean "doctor"\?`},
		{"sound", "rules lst", nil, 2, `did you mean "list"\? want one of`},
		{"sound", "snapshot tak", nil, 2, `did you mean "take"\?`},
		{"sound", "install hg", nil, 2, `want one of "antigravity", .*"git"`},
		{"sound", "uninstall hg", nil, 2, `want one of "antigravity", .*"git"`},
		{"sound", "lint", nil, 2, `unknown command "lint"; did you mean "check"\?`},
		{"sound", "fix", nil, 2, `unknown command "fix"; did you mean "check --fix"\?`},
		{"sound", "validate", nil, 2, `did you mean "rules validate"\?`},
		{"sound", "pre-commit", nil, 2, `did you mean "install git"\?`},
		{"sound", "logs", nil, 2, `did you mean "audit"\?`},
		{"sound", "rules lint", nil, 2, `unknown command "lint"; did you mean "validate"\?`},
		{"sound", "rules new docs", nil, 2, `unknown command "new"; a rule is a file, .rulecheck/rules/ID.md`},
		{"sound", "waive readme", nil, 2, `end the commit message with a paragraph "Rulecheck-Waive: ID REASON"`},
		{"sound", "install pre-commit", nil, 2, `did you mean "git"\?`},
		{"sound", "packs remove x", nil, 2, `delete its entry from "extends" in .rulecheck/config.yml`},
		{"sound", "packs add github.com/a/b", nil, 2, `did you mean "https://github.com/a/b"\?`},
		{"sound", "install claude-code", nil, 2, `did you mean "claude"\?`},
		{"sound", "install github", nil, 2, `CI runs rulecheck in a job; docs/integrations.md`},
		{"sound", "audit --since 3d", nil, 2, `did you mean --after\?`},
		{"sound", "try readme", nil, 2, `"readme" has no keys; .*for a rule of the repository: rulecheck replay readme`},
		{"sound", "try .rulecheck/rules/readme.md", nil, 2, `rulecheck replay readme`},
		{"sound", "HEAD~1", nil, 2, `"HEAD~1" is a commit; want --from HEAD~1, or to check that commit --from HEAD~1\^ --to HEAD~1`},
		{"sound", "replay main..HEAD", nil, 2, `"main..HEAD" is a range of commits; want --from main --to HEAD`},
		{"sound", "replay origin/main...", nil, 2, `is a range of commits; want --from origin/main --to HEAD`},
		{"sound", "replay HEAD^", nil, 2, `"HEAD\^" is a commit; want --from HEAD\^`},
		{"sound", "replay 10", nil, 2, `"10" is a number; want -n 10`},
		{"sound", "replay -10", nil, 2, `unknown flag: -10; did you mean -n 10\?`},
		{"sound", "replay --last 10", nil, 2, `unknown flag: --last; did you mean --number\?`},
		{"sound", "replay -o x.html", nil, 2, `unknown flag: -o; did you mean --format\?`},
		{"sound", "replay --html", nil, 2, `unknown flag: --html; did you mean --format html\?`},
		{"sound", "replay --only docs", nil, 2, `unknown flag: --only; want the ids of rules without it: rulecheck replay ID`},
		{"sound", "rules test .rulecheck/rules/readme.md", nil, 2, `is a file; want the id of a rule, such as readme`},
		{"sound", "help doctr", nil, 2, `unknown command "doctr"; did you mean "doctor"\?`},
		{"sound", "help rules lst", nil, 2, `unknown command "lst"; did you mean "list"\?`},
		{"sound", "hook", nil, 2, `want rulecheck hook AGENT`},
		{"sound", "main..HEAD", nil, 2, `is a range of commits; want --from main --to HEAD`},
		{"sound", "--since main..HEAD", nil, 3, `"main..HEAD" is a range of commits; run: rulecheck --from main --to HEAD`},
		{"sound", "--from main...topic", nil, 3, `is a range of commits; run: rulecheck --from main --to topic`},
		{"sound", "--since main..", nil, 3, `run: rulecheck --from main --to HEAD`},
		{"sound", "--since origin/topci", nil, 3, `unknown revision "origin/topci"`},
		{"sound", "--since topci", nil, 3, `did you mean "topic"\?`},
		{"sound", "--base main", nil, 2, `unknown flag: --base; did you mean --since\?`},
		{"sound", "--cached", nil, 2, `did you mean --staged\?`},
		{"sound", "--commit HEAD", nil, 2, `did you mean --to\?`},
		{"sound", "--rule readme", nil, 2, `did you mean --only\?`},
		{"sound", "--ignore readme", nil, 2, `did you mean --skip\?`},
		{"sound", "--output x.sarif", nil, 2, `did you mean --format\?`},
		{"sound", "--severity error", nil, 2, `did you mean --fail-on\?`},
		{"sound", "--write", nil, 2, `did you mean --fix\?`},
		{"sound", "--fromat json", nil, 2, `did you mean --format\?`},
		{"sound", "-x", nil, 2, `unknown shorthand flag: 'x' in -x; see rulecheck --help`},
		{"sound", "--staged=maybe", nil, 2, `--staged is "maybe"; want true or false, or omit the value`},
		{"sound", "--snice main", nil, 2, `unknown flag: --snice; did you mean --since\?; see rulecheck --help`},
		{"sound", "rules list --all", nil, 2, `unknown flag: --all; see rulecheck rules list --help`},
		{"sound", "--since", nil, 2, `needs an argument: --since; see rulecheck --help`},
		{"sound", "--since main --from main", nil, 2, `--from and --since exclude each other; use only one of them; see rulecheck --help`},
		{"sound", "--staged --to HEAD", nil, 2, `--staged and --to exclude each other; use only one of them`},
		{"sound", "--quiet --verbose", nil, 2, `--quiet and --verbose exclude each other`},
		{"sound", "--fail-on fatal", nil, 2, `want one of error, warning, note`},
		{"sound", "--format txt", nil, 2, `unknown format "txt"; .*text`},
		{"sound", "--format sarif=", nil, 2, `want NAME or NAME=FILE`},
		{"sound", "--format sarif=nowhere/x.sarif", nil, 3, `--format sarif=nowhere/x.sarif: .*; want a file in an existing, writable directory`},
		{"sound", "--jobs -1", nil, 2, `--jobs is "-1"; want 0 or a larger number; see rulecheck --help`},
		{"sound", "--jobs many", nil, 2, `--jobs is "many"; want a whole number; see rulecheck --help`},
		{"sound", "--git gti", nil, 2, `unknown engine "gti"; want one of`},
		{"sound", "--only raedme", nil, 2, `unknown rule "raedme"; did you mean "readme"\?`},
		{"sound", "--skip nosuch", nil, 2, `unknown rule "nosuch"; want one of "readme"`},
		{"sound", "--tag nosuch", nil, 2, `--tag: unknown tag "nosuch"`},
		{"sound", "--fix --to HEAD", nil, 2, `use only one of them`},
		{"sound", "--message MSG", nil, 2, `add --staged`},
		{"sound", "--staged --message nosuch", nil, 2, `--message: open nosuch: .*; want the file that git passes to a commit-msg hook`},
		{"sound", "--staged --message=", nil, 2, `want FILE`},
		{"sound", "--since nosuch", nil, 3, `unknown revision "nosuch"; run: git branch --all`},
		{"sound", "--from nosuch", nil, 3, `unknown revision "nosuch"; run: git branch --all`},
		{"sound", "--to mian", nil, 3, `unknown revision "mian"; did you mean "main"\?`},
		{"sound", "--rules-from nosuch", nil, 3, `unknown revision "nosuch"; run: git branch --all`},
		{"sound", "--sessions nosuch.jsonl", nil, 2, `nosuch.jsonl: .*; want a log or a directory of logs`},
		{"sound", "--sessions x --no-sessions", nil, 2, `--no-sessions and --sessions exclude each other`},
		{"sound", "audit nosuch.jsonl", nil, 2, `want a log or a directory of logs`},
		{"sound", "audit --after someday", nil, 2, `want a date such as 2026-05-01`},
		{"sound", "rules explain", nil, 2, `no argument given; want rulecheck rules explain PATH; see rulecheck rules explain --help`},
		{"sound", "rules explain ../elsewhere", nil, 2, `"\.\./elsewhere" is not a file in the repository /`},
		{"sound", "rules modes piar", nil, 2, `unknown mode "piar"; did you mean "pair"\?`},
		{"sound", "rules schema rul", nil, 2, `unknown schema "rul"; did you mean "rule"\?`},
		{"sound", "rules test nosuch", nil, 2, `unknown rule "nosuch"; want one of "readme"`},
		{"sound", "snapshot show nosuch", nil, 2, `want 16 hexadecimal digits, as rulecheck snapshot list shows`},
		{"sound", "snapshot drop", nil, 2, `want one ID, or --all`},
		{"sound", "doctor --format txt", nil, 2, `unknown format "txt"; did you mean "text"\?`},
		{"sound", "install git --git embedded", nil, 2, `omit --git embedded`},
		{"sound", "", []string{"RULECHECK_WAIVE=raedme because"}, 1, `no rule is called "raedme"; did you mean "readme"\?`},
		{"sound", "", append(github, "GITHUB_EVENT_PATH=nosuch.json"), 3, `GITHUB_EVENT_PATH: open nosuch.json: .*; want the event's payload`},
		{"sound", "", append(github, "GITHUB_EVENT_PATH=event.json"), 3, `GITHUB_EVENT_PATH: event.json: invalid character .*; want the event's payload`},
		{"sound", "", append(github, "GITHUB_EVENT_PATH=odd.json"), 3, `before "main"; want a commit id`},
		{"sound", "", github, 3, `run: rulecheck --since REF`},

		{"malformed", "rules validate", nil, 2, `key.md:2:1: unknown key "trigegr".*did you mean "trigger"\?`},
		{"malformed", "rules validate", nil, 2, `none.md:.*want one of`},
		{"malformed", "rules validate", nil, 2, `two.md:3:1: two modes: "trigger" on line 2 and "created"; want one of`},
		{"malformed", "rules validate", nil, 2, `quote.md:2:10: .*; quote it if a text is meant: "\*\.py"`},
		{"malformed", "rules validate", nil, 2, `pattern.md:2:11: .*"\./src"; .*want "src"`},
		{"malformed", "rules validate", nil, 2, `empty.md:3:1: the body is empty; want instructions`},
		{"malformed", "rules validate", nil, 2, `level.md:3:8: .*"fatal".*want one of`},
		{"malformed", "rules validate", nil, 2, `when.md:3:12: unknown field "brnch" of head; did you mean "branch"\?`},
		{"malformed", "rules validate", nil, 2, `argv.md:3:.*\[sh, -c`},
		{"malformed", "rules validate", nil, 2, `captures.md:2:38: .*"\{y\}" is not captured by "a/\{x\}", which captures "\{x\}"`},
		{"malformed", "rules validate", nil, 2, `plain.md:1:1: .*; want a line "---", the frontmatter and another "---"`},
		{"malformed", "rules validate", nil, 2, `config.yml:1:1: unknown key "rulez".*did you mean "rules"\?`},
		{"malformed", "rules validate", nil, 2, `config.yml:2:.*"never".*want one of`},
		{"malformed", "rules validate", nil, 2, `config.yml:3:11: .*; did you mean "bundled/go"\?`},
		{"malformed", "rules validate", nil, 2, `main.rego:1:9: .*; want one of "rulecheck.modes.<name>"`},
		{"malformed", "rules validate", nil, 2, `alias.md:3:1: unknown key "severity"; did you mean "level"\?`},
		{"malformed", "rules validate", nil, 2, `glob.md:2:1: unknown key "files"; did you mean "trigger"\?`},
		{"malformed", "rules validate", nil, 2, `if.md:3:1: unknown key "if"; did you mean "when"\?`},
		{"malformed", "rules validate", nil, 2, `run.md:3:1: unknown key "run"; did you mean "action"\?`},
		{"malformed", "rules validate", nil, 2, `my rule.md:1:1: bad rule id "my rule"; .*, such as "my-rule.md"`},
		{"malformed", "rules validate", nil, 2, `open.md:1:1: the frontmatter is not closed; want a line "---" below its last key`},
		{"malformed", "rules validate", nil, 2, `root.md:2:10: .*"/src/\*\*"; .*want "src/\*\*"`},
		{"malformed", "rules validate", nil, 2, `folder.md:2:13: .*want "src/\*\*" for all files in the directory`},
		{"malformed", "rules validate", nil, 2, `negated.md:2:11: .*want "exclude" or "safety" for such files`},
		{"malformed", "rules validate", nil, 2, `bracket.md:2:15: .*"\[a" has no "\]"; want "\[a-z\]"`},
		{"malformed", "rules validate", nil, 2, `pipe.md:3:26: .*write \[sh, -c`},
		{"malformed", "rules validate", nil, 2, `"st.yml" is not read: rules are markdown files; want the name "st.md"`},
		{"malformed", "rules validate", nil, 2, `rules in subdirectories are not read; want the files of "deep" in the directory above it`},
		{"renamed", "", nil, 2, `config.yaml:1:1: is not read; want the name .rulecheck/config.yml`},
		{"renamed", "doctor", nil, 1, `want the name .rulecheck/config.yml; next: rulecheck rules validate`},
		{"sound", "--from main HEAD", nil, 2, `"HEAD" is neither a file nor a directory; .*want --to HEAD`},
		{"sound", "", []string{"RULECHECK_WAIVE=readme"}, 1, `"readme" is ignored; want a reason after the id of the rule`},
		{"program", "", nil, 1, `"nosuchprogram" not found in PATH; install it, or give its path`},
		{"malformed", "", nil, 2, `key.md:2:1: unknown key "trigegr"`},
		{"malformed", "rules validate", nil, 2, `packages.rego:1:1: .*"packages" is a value, and "packages.max" is inside it; want only one of them`},
		{"middle", "", nil, 1, `"Rulecheck-Waive: readme it is fine" is ignored: trailers must be the last paragraph`},
		{"malformed", "doctor", nil, 1, `next: rulecheck rules validate`},
		{"needs", "", nil, 2, `"min_version" is "one"; want a version such as 1\.2\.0`},

		{"shallow", "", nil, 3, `run: git fetch --unshallow`},
		{"shallow", "--since main", nil, 3, `run: git fetch --unshallow origin main:main`},
		{"shallow", "doctor", nil, 1, `next: git fetch --unshallow`},
		{"unmerged", "--staged", nil, 3, `"src/a.py" is unmerged: resolve the conflicts; run: git add -- src/a.py`},
		{"bare", "", nil, 3, `there is no working tree here; run: rulecheck --to HEAD`},
		{"bare", "install git", nil, 2, `want a clone with a working tree`},
		{"nowhere", "", nil, 3, `run rulecheck inside a git repository`},
		{"nowhere", "rules list", nil, 3, `run rulecheck inside a git repository`},
		{"nowhere", "doctor", nil, 3, `run rulecheck inside a git repository`},
		{"nowhere", "install git", nil, 3, `run rulecheck inside a git repository`},
		{"nowhere", "", []string{"PATH=" + dir}, 3, `run rulecheck inside a git repository`},
		{"sound", "--git program", []string{"PATH=" + dir}, 3, `install git 2\.31 or newer`},
	} {
		t.Run(strings.TrimSpace(test.in+" "+test.args), func(t *testing.T) {
			t.Chdir(filepath.Join(dir, test.in))
			if slices.ContainsFunc(test.env, func(kv string) bool { return strings.HasPrefix(kv, "PATH=") }) {
				t.Setenv("PATH", dir) // git is looked up in the process's own
			}
			status, stdout, stderr := called(t, append(slices.Clone(env), test.env...), strings.Fields(test.args)...)
			if os.Getenv("SHOW") != "" {
				t.Logf("%s%s", stdout, stderr)
			}
			if status != test.status || !regexp.MustCompile(test.next).MatchString(stdout+stderr) {
				t.Errorf("status %d, want %d and %q:\n%s%s", status, test.status, test.next, stdout, stderr)
			}
		})
	}
}
