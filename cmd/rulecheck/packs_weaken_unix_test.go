//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// organized creates the repository of an organization's pack, that of an older and of another
// pack, and one that breaks the rule "changelog" of the first.
const organized = `
rule() { mkdir -p "$1/rules"; printf -- '---\n%s\n---\n%s\n' "$3" "$4" >"$1/rules/$2.md"; }
git init -q rules; cd rules
rule .rulecheck changelog 'trigger: "src/**"
safety: CHANGES
level: warning
' 'Describe it.'
rule .rulecheck waivable 'trigger: never' 'May be waived.'
rule .rulecheck size 'limit: {file_bytes: 10, of: "big/**"}' 'Smaller.'
rule .rulecheck greeting 'salutes: "src/**"' 'Say hello.'
rule .rulecheck command 'trigger: "src/**"
action: {command: "false"}' ''
rule .rulecheck added 'trigger: "src/**"
lines: {added: "^b"}' 'No b.'
rule .rulecheck tool 'tool: {tools: [never], effect: deny}' 'No.'
mkdir -p .rulecheck/policies
cat >.rulecheck/policies/salutes.rego <<'REGO'
# METADATA
# title: Salutes
# description: Files salute.
# custom:
#   params:
#     salutes: patterns
#   facts: [matches]
package rulecheck.modes.salutes

import data.rulecheck.lib.courtesy

# METADATA
# description: one violation for each file
# scope: rule
violations contains violation if {
	some match in input.matches.salutes
	not courtesy.polite
	violation := {"path": match.path, "message": "does not salute"}
}
REGO
cat >.rulecheck/policies/courtesy.rego <<'REGO'
package rulecheck.lib.courtesy

default polite := false
REGO
printf 'waivers: [waivable]\n' >.rulecheck/pack.yml
git add -A; git commit -qm pack; cd ..
git init -q app; cd app
mkdir -p .rulecheck/rules src big
rule .rulecheck own 'trigger: "docs/**"' 'Own.'
echo a >src/a; echo 01234567890123 >big/b; echo x >x; git add -A; git commit -qm one
git switch -qc topic; echo b >>src/a; echo c >>big/b
`

// weakenings are attempts of a repository, or of what is passed to a run, to be free of the
// organization's rules. Each is refused with the reason in want, or is without effect for the
// reason in idle. Either way what is still checked has the findings of a run without it.
var weakenings = []struct {
	name, script string
	env          []string
	args         string
	before       string // a command that runs first
	want         string // the reason of the refusal, in the output
	idle         string // why the attempt has no effect
	untrusted    bool   // the change may not choose what is run, so the pack's commands do not run
}{
	{name: "nothing", idle: "the control"},
	// The same id.
	{name: "disabled copy", script: `copy changelog 's/^level/enabled: false\nlevel/'`, want: "cannot be replaced"},
	{name: "lower level", script: `copy changelog 's/warning/note/'`, want: "which can only be raised"},
	{name: "no level", script: `copy size '2a level: note'`, want: "which can only be raised"},
	{name: "other trigger", script: `copy changelog 's/src/none/'`, want: "cannot be replaced"},
	{name: "wider safety", script: `copy changelog 's/CHANGES/"**"/'`, want: "cannot be replaced"},
	{name: "exclude in a copy", script: `copy changelog '2a exclude: "src/**"'`, want: "cannot be replaced"},
	{name: "condition", script: `copy changelog '2a when: "false"'`, want: "cannot be replaced"},
	{name: "lines", script: `copy changelog '2a lines: {added: never}'`, want: "cannot be replaced"},
	{name: "status", script: `copy changelog '2a status: [deleted]'`, want: "cannot be replaced"},
	{name: "compare_to", script: `copy changelog '2a compare_to: prompt'`, want: "cannot be replaced"},
	{name: "other mode", script: `rule .rulecheck changelog 'created: never' x`, want: "cannot be replaced"},
	{name: "other instructions", script: `copy changelog 's/Describe it/Never mind/'`, want: "cannot be replaced"},
	{name: "other command", script: `copy command 's/false/true/'`, want: "cannot be replaced"},
	{name: "level in a block scalar", script: `copy changelog 's/level: warning/level: >-\n  note/'`, want: "cannot be replaced"},
	{name: "quoted key", script: `copy changelog 's/level: warning/"level": note/'`, want: "cannot be replaced"},
	{name: "malformed copy", script: `copy changelog 's/trigger/trigegr/'`, want: "trigegr"},
	{name: "empty file", script: `: >.rulecheck/rules/changelog.md`, want: "changelog.md:1:1"},
	{name: "symbolic link", script: `ln -s /dev/null .rulecheck/rules/changelog.md`, want: "changelog.md"},
	{name: "nested rule", script: `rule src/.rulecheck changelog 'trigger: a
enabled: false' x`, idle: "a rule of a directory has another id"},
	{name: "same name", script: `rule .rulecheck other 'trigger: none
name: changelog' x`, idle: "an id is the name of the file"},
	{name: "user's rule", script: `mkdir -p ../home/.config/rulecheck; rule ../home/.config/rulecheck changelog 'trigger: none' x`, want: "cannot be replaced"},
	{name: "no rules", script: `git rm -rqf .rulecheck`, idle: "the rules are those of the pack"},
	{name: "other directory of rules", script: `config 'rules: {rules_dir: elsewhere}'; mkdir elsewhere; cp .rulecheck/rules/own.md elsewhere`, idle: "the key is about the own rules"},
	// The configuration.
	{name: "default branch", script: `config 'default_branch: topic'; git add -A; git commit -qm two`, want: `"default_branch" in .rulecheck/config.yml has no effect`},
	{name: "default branch at the base", script: `git switch -q main; config 'default_branch: topic'; git add .rulecheck; git commit -qm x; git switch -q topic`, args: "--rules-from base", want: `"default_branch" in .rulecheck/config.yml has no effect`, untrusted: true},
	{name: "higher fail_on", script: `config 'fail_on: error'`, args: "--fail-on note", idle: "the key has no higher level than the default"},
	{name: "rules off", script: `config 'rules: {enabled: false}'`, want: `"rules.enabled" is false`},
	{name: "exclude", script: `config 'exclude: "src/**"'`, want: "has no effect on the rules of the organization"},
	{name: "exclude all", script: `config 'exclude: "**"'`, want: "has no effect on the rules of the organization"},
	{name: "on_error", script: `config 'agents: {on_error: allow}'`, want: `"agents.on_error" is "allow"`},
	{name: "trusted waivers", script: `config 'waivers: {trust: true}'; git commit -qam "x

Rulecheck-Waive: changelog because"`, want: "allows no waivers of this rule"},
	{name: "malformed configuration", script: `config 'rules: ['`, want: "config.yml:"},
	{name: "newer program", script: `config 'min_version: 99.0.0'`, idle: "a build without a version is new enough; a release fails"},
	{name: "the pack again at another commit", script: `config "extends: [{git: \"$PACK_URL\", rev: \"1111111111111111111111111111111111111111\"}]"`, want: "packs.lock does not have it"},
	{name: "forged lock file", script: `config "extends: [{git: \"$PACK_URL\", rev: $PACK_REV}]"; echo "{\"version\": 1, \"packs\": [{\"git\": \"$PACK_URL\", \"rev\": \"$PACK_REV\", \"digest\": \"sha256:00\"}]}" >.rulecheck/packs.lock`, want: "has sha256:00"},
	{name: "malformed lock file", script: `config "extends: [{git: \"$PACK_URL\", rev: $PACK_REV}]"; echo x >.rulecheck/packs.lock`, want: "packs.lock"},
	// Policies.
	{name: "policy with the mode of the pack", script: `policy rulecheck.modes.salutes`, want: "belongs to rulecheck"},
	{name: "policy with the library of the pack", script: `policy rulecheck.lib.courtesy 'polite := true'`, want: "belongs to rulecheck"},
	{name: "policy in a rule of the library", script: `policy rulecheck.lib.courtesy.polite`, want: "policies"},
	{name: "policy with the file name of the pack", script: `mkdir .rulecheck/policies; printf 'package rulecheck.lib.other\n' >.rulecheck/policies/courtesy.rego`, idle: "names of files do not name policies"},
	{name: "policy with a built-in mode", script: `policy rulecheck.modes.trigger`, want: "belongs to rulecheck"},
	{name: "policy with the entry point", script: `policy rulecheck.main`, want: "policies"},
	// Waivers.
	{name: "trailer", script: "git commit -qam 'x\n\nRulecheck-Waive: changelog because'", want: "allows no waivers of this rule"},
	{name: "promise", script: "git commit -qam 'x <promise>changelog</promise>'", want: "allows no waivers of this rule"},
	{name: "waiver in the environment", script: "git add -A", env: []string{"RULECHECK_WAIVE=changelog because", "GIT_INDEX_FILE=.git/index"}, args: "--staged", want: "allows no waivers of this rule"},
	{name: "known findings", before: "baseline accept --reason because", want: "error: size"},
	{name: "commit message", script: "git add -A; printf 'x\n\nRulecheck-Waive: changelog because\n' >../message", args: "--staged --message ../message", want: "allows no waivers of this rule"},
	// What is passed to a run.
	{name: "RULECHECK_SKIP", env: []string{"RULECHECK_SKIP=changelog"}, want: "RULECHECK_SKIP leaves out"},
	{name: "--skip", args: "--skip changelog", want: "--skip leaves out"},
	{name: "--only", args: "--only own", want: "--only leaves out"},
	{name: "--tag", script: `copyown`, args: "--tag mine", want: "--tag leaves out"},
	{name: "--no-commands", args: "--no-commands", want: "--no-commands leaves out"},
	{name: "--fail-on error", args: "--fail-on error --verbose", idle: "the exit status counts the errors among the findings"},
	{name: "rules from another commit", args: "--rules-from main", untrusted: true, idle: "the pack is that of the environment"},
	{name: "rules from the base", args: "--rules-from base", untrusted: true, idle: "the pack is that of the environment"},
	// Files that git or others ignore.
	{name: "attributes", script: `printf 'src/** -diff binary linguist-generated\n' >.gitattributes`, idle: "attributes do not hide changes"},
	{name: "ignored", script: `printf 'src/\nbig/\n' >.gitignore`, idle: "git tracks the files"},
	{name: "assumed unchanged, then staged", script: `git add -A; git update-index --assume-unchanged src/a big/b`, args: "--staged", idle: "the index has the change"},
	// The pack.
	{name: "empty cache", env: []string{"XDG_CACHE_HOME=/nowhere"}, want: "is not in the cache: run: rulecheck packs fetch"},
	{name: "no commit", env: []string{"RULECHECK_ORG_PACK=https://example.org/rules.git@main"}, want: "no full commit id"},
	{name: "no revision", env: []string{"RULECHECK_ORG_PACK=https://example.org/rules.git"}, want: "names no commit"},
	{name: "another commit", env: []string{"RULECHECK_ORG_PACK=https://example.org/rules.git@1111111111111111111111111111111111111111"}, want: "is not in the cache"},
	{name: "unsigned", env: []string{"RULECHECK_PACK_SIGNERS=/dev/null"}, want: "has no SSH signature"},
	{name: "signers in the repository", env: []string{"RULECHECK_PACK_SIGNERS=signers"}, want: "is relative"},
}

// weakeningTools are the functions of the scripts of attempts.
const weakeningTools = `
rule() { mkdir -p "$1/rules" "$1/.rulecheck"; case $1 in *.rulecheck|*/rulecheck) ;; *) set -- "$1/.rulecheck" "$2" "$3" "$4"; mkdir -p "$1/rules";; esac
printf -- '---\n%s\n---\n%s\n' "$3" "$4" >"$1/rules/$2.md"; }
copy() { sed "$2" "$PACK/.rulecheck/rules/$1.md" >".rulecheck/rules/$1.md"; }
copyown() { printf -- '---\ntrigger: none\ntags: [mine]\n---\nx\n' >.rulecheck/rules/mine.md; }
config() { mkdir -p .rulecheck; printf '%s\n' "$1" >.rulecheck/config.yml; }
policy() { mkdir -p .rulecheck/policies; printf 'package %s\n\n%s\n' "$1" "${2:-violations := set()}" >.rulecheck/policies/own.rego; }
set -e
`

// TestOrganizationCannotBeWeakened runs the attempts; all of them if WEAKENINGS is set.
func TestOrganizationCannotBeWeakened(t *testing.T) {
	if len(weakenings) < 41 {
		t.Fatalf("%d attempts; want 40 and the control", len(weakenings))
	}
	dir := t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "XDG_CACHE_HOME=" + filepath.Join(dir, "cache"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
	}
	if err := os.Mkdir(filepath.Join(dir, "home"), 0o755); err != nil {
		t.Fatal(err)
	}
	sh := func(in string, more []string, script string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
		cmd.Dir, cmd.Env = in, slices.Concat(env, more)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	sh(dir, nil, "set -e\n"+organized)
	packed := filepath.Join(dir, "rules")
	rev, url := sh(packed, nil, "git rev-parse HEAD"), "file://"+packed
	env = append(env, "RULECHECK_ORG_PACK="+url+"@"+rev)
	t.Chdir(dir)
	if status, out, stderr := called(t, env, "packs", "fetch"); status != 0 {
		t.Fatalf("packs fetch: %d %s%s", status, out, stderr)
	}
	var control []string // the findings of a run without an attempt
	few := 1
	if os.Getenv("WEAKENINGS") == "" {
		few = 16 // scripts/laws.sh weaken runs all
	}
	for i, w := range weakenings {
		if i%few != 0 {
			continue
		}
		work, own := filepath.Join(dir, "try", w.name, "app"), slices.Concat(env, w.env)
		if err := os.CopyFS(work, os.DirFS(filepath.Join(dir, "app"))); err != nil {
			t.Fatal(err)
		}
		home := filepath.Join(dir, "try", w.name, "home")
		if err := os.Mkdir(home, 0o755); err != nil {
			t.Fatal(err)
		}
		own = append(own, "HOME="+home)
		sh(work, []string{"PACK=" + packed, "PACK_URL=" + url, "PACK_REV=" + rev, "HOME=" + home}, weakeningTools+w.script)
		t.Chdir(work)
		if w.before != "" {
			if status, stdout, stderr := called(t, own, strings.Fields(w.before)...); status != 0 {
				t.Fatalf("%s: %d %s%s", w.before, status, stdout, stderr)
			}
		}
		status, stdout, stderr := called(t, own, append([]string{"--fail-on", "note"}, strings.Fields(w.args)...)...)
		out, still := stdout+stderr, organizationFindings(stdout)
		if i == 0 {
			if control = still; len(control) != 5 {
				t.Fatalf("the control has the findings %q; want one of each rule", control)
			}
		}
		expected := control
		if w.untrusted && strings.Contains(out, "1 command did not run: the change may not choose what is run") {
			expected = slices.DeleteFunc(slices.Clone(control), func(line string) bool { return line == "error: command" })
		}
		switch refused := w.want != "" && strings.Contains(out, w.want); {
		case (w.want == "") == (w.idle == ""):
			t.Errorf("%s: want either why it is refused or why it has no effect", w.name)
		case status == 0, w.want != "" && !refused:
			t.Errorf("%s: status %d; want a refusal with %q\n%s", w.name, status, w.want, out)
		case !slices.Equal(still, expected) && (!refused || len(still) > 0):
			t.Errorf("%s: the organization's rules have the findings %q; want %q\n%s", w.name, still, expected, out)
		}
	}
	t.Chdir(dir)
}

// organizationFindings lists the findings of the organization's rules in a report.
func organizationFindings(report string) []string {
	var found []string
	for line := range strings.SplitSeq(report, "\n") {
		level, id, ok := strings.Cut(line, ": ")
		if ok && slices.Contains([]string{"error", "warning", "note"}, level) && slices.Contains([]string{"changelog", "size", "greeting", "command", "added"}, id) {
			found = append(found, line)
		}
	}
	slices.Sort(found)
	return found
}
