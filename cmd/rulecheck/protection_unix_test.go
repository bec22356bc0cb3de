//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestProtectionLaw lets a guarded agent make random calls, and carries out those that the hook
// allows: git commands, edits, and rulecheck's own commands. Afterwards the hook still denies a
// forced push and an edit of a rule, and the stop is refused for a broken rule, or reports
// that rules, hooks or the base changed, or that it could not check. PROTECTIONS is the number of
// sequences; PROTECTION_SEED selects one.
func TestProtectionLaw(t *testing.T) {
	t.Parallel()
	first, seeds := 0, lawtest.Cases(t, "PROTECTIONS", 8)
	if os.Getenv("PROTECTION_SEED") != "" {
		first, seeds = lawtest.Cases(t, "PROTECTION_SEED", 0), 1
	}
	s := newSilence(t)
	template := guardedWorld(s)
	numbers := make(chan int)
	tally := &protectionTally{ended: map[string]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			checker := newChecker(s)
			defer checker.close()
			for seed := range numbers {
				newProtection(checker, template, seed, tally).try()
			}
		})
	}
	for seed := first; seed < first+seeds; seed++ {
		numbers <- seed
	}
	close(numbers)
	wg.Wait()
	t.Logf("%d calls were allowed and made, %d refused; stops: %v", tally.made, tally.refused, tally.ended)
}

// protectionTally counts calls, and stops by how they ended.
type protectionTally struct {
	mu            sync.Mutex
	made, refused int
	ended         map[string]int
}

func (c *protectionTally) add(made, refused int, ended string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made, c.refused = c.made+made, c.refused+refused
	c.ended[ended]++
}

// guardedWorld makes a repository with rules that its first commit lacks, a remote, and a
// branch without rules.
func guardedWorld(s *silence) string {
	s.Helper()
	top := filepath.Join(s.top, "guarded")
	s.must(os.Mkdir(top, 0o777))
	s.must(os.Chmod(top, 0o777))
	script := `set -e
git init -q --bare -b main origin.git
git init -q -b main repo
cd repo
git remote add origin ../origin.git
mkdir -p src tests docs packages/web
echo a >src/a.py; echo t >tests/a_test.py; echo d >docs/a.md; echo '*.log' >.gitignore
git add -A; git commit -qm first; git branch old; git tag v0
mkdir -p .rulecheck/rules
printf 'extends: bundled/agents\n' >.rulecheck/config.yml
printf -- '---\nname: Pair\npair: {trigger: "src/**", expects: "tests/**"}\ncompare_to: prompt\n---\nTest it.\n' >.rulecheck/rules/pair.md
printf -- '---\nname: Forbid\nforbid: {files: "src/**", lines: FIXME}\ncompare_to: prompt\n---\nFix it.\n' >.rulecheck/rules/forbid.md
rulecheck install claude >/dev/null
git add -A; git commit -qm rules
echo b >src/b.py; echo t >tests/b_test.py; git add -A; git commit -qm second
git push -q origin main old; git fetch -q; git remote set-head origin main
git switch -qc work; echo c >src/c.py; echo t >tests/c_test.py; git add -A; git commit -qm work
git format-patch -1 --stdout >../work.patch
mkdir ../elsewhere; git archive v0 | tar -x -C ../elsewhere
`
	if out, status := s.run(top, nil, nil, "bash", "-c", script); status != 0 {
		s.Fatalf("the repository: status %d\n%s", status, out)
	}
	return top
}

// protection is one sequence of calls.
type protection struct {
	*checker
	*rand.Rand

	seed      int
	top, repo string
	env       []string
	calls     int
	notes     []string // what was done
	refused   int
	tally     *protectionTally
}

func newProtection(c *checker, template string, seed int, tally *protectionTally) *protection {
	p := &protection{checker: c, Rand: rand.New(rand.NewPCG(34, uint64(seed))), seed: seed, tally: tally}
	p.top = filepath.Join(c.top, fmt.Sprintf("protected%d", seed))
	p.repo = filepath.Join(p.top, "repo")
	if out, err := exec.Command("cp", "-a", template, p.top).CombinedOutput(); err != nil {
		c.Fatalf("cp: %v\n%s", err, out)
	}
	p.env = []string{"HOME=" + filepath.Join(p.top, "home")}
	c.must(os.Mkdir(filepath.Join(p.top, "home"), 0o777))
	c.must(os.Chmod(filepath.Join(p.top, "home"), 0o777))
	return p
}

// event sends an event of Claude Code to the hook, as its settings register it.
func (p *protection) event(name string, members map[string]any) hidingReply {
	p.Helper()
	payload := map[string]any{"session_id": "s", "cwd": p.repo, "hook_event_name": name, "prompt_id": "p", "transcript_path": ""}
	maps.Copy(payload, members)
	text, err := json.Marshal(payload)
	p.must(err)
	p.must(p.in.Encode(map[string]any{"Dir": p.repo, "Args": []string{"hook", "claude"}, "Env": append(p.environment(), p.env...), "Stdin": string(text)}))
	var reply hidingReply
	if err := p.out.Decode(&reply); err != nil {
		p.Errorf("seed %d: the checker ended: %v", p.seed, err)
		panic(err)
	}
	return reply
}

// asks sends a call before it is made, and reports whether the agent makes it.
func (p *protection) asks(tool string, input map[string]any) (reply hidingReply, allowed bool) {
	p.Helper()
	p.calls++
	reply = p.event("PreToolUse", map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": strconv.Itoa(p.calls)})
	denied := reply.Status == 2 || strings.Contains(string(reply.Stdout), `"permissionDecision":"deny"`) || strings.Contains(string(reply.Stdout), `"permissionDecision":"ask"`)
	return reply, !denied
}

// call makes a call if the hook allows it.
func (p *protection) call(tool string, input map[string]any) {
	p.Helper()
	if _, allowed := p.asks(tool, input); !allowed {
		p.refused++
		return
	}
	response := map[string]any{}
	switch tool {
	case "Bash":
		line, _ := input["command"].(string)
		out, status := p.run(p.repo, p.env, nil, "timeout", "-k", "1", "60", "bash", "-c", line)
		p.notes = append(p.notes, fmt.Sprintf("$ %s (status %d)", line, status))
		response["stdout"] = out
		if status != 0 {
			p.event("PostToolUseFailure", map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": strconv.Itoa(p.calls), "error": fmt.Sprintf("Exit code %d", status)})
			return
		}
	default:
		name, _ := input["file_path"].(string)
		text, _ := input["content"].(string)
		p.write(name, text)
		p.notes = append(p.notes, fmt.Sprintf("> Write %s %q", name, text))
	}
	p.event("PostToolUse", map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": strconv.Itoa(p.calls), "tool_response": response})
}

// write writes a file of the repository as the agent's own tool does.
func (p *protection) write(name, text string) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.repo, name)
	}
	p.run(p.repo, nil, nil, "sh", "-c", `mkdir -p "$(dirname "$1")" && printf %s "$2" >"$1"`, "sh", name, text)
}

// try makes a sequence of calls, and then what is forbidden.
func (p *protection) try() {
	p.Helper()
	defer os.RemoveAll(p.top)
	defer func() { _, _ = p.run(p.top, nil, nil, "chmod", "-R", "u+rwX", p.top) }()
	p.event("SessionStart", map[string]any{"source": "startup"})
	p.event("UserPromptSubmit", map[string]any{"prompt": "go"})
	for range 2 + p.IntN(10) {
		if p.IntN(5) == 0 {
			p.call("Write", map[string]any{"file_path": p.file(), "content": p.content()})
		} else {
			p.call("Bash", map[string]any{"command": p.line()})
		}
	}
	made := len(p.notes)
	for _, forbidden := range []string{"git push --force origin HEAD:main", "git push origin +HEAD:main"} {
		if reply, allowed := p.asks("Bash", map[string]any{"command": forbidden}); allowed {
			p.fails("the forced push is allowed", reply)
		}
	}
	if reply, allowed := p.asks("Write", map[string]any{"file_path": filepath.Join(p.repo, ".rulecheck/rules/forbid.md"), "content": "x"}); allowed {
		p.fails("the edit of a rule is allowed", reply)
	}
	p.write("src/a.py", "a\nFIXME\n")
	reply := p.event("Stop", map[string]any{"stop_hook_active": false})
	text := string(reply.Stdout) + reply.Stderr
	ended := "allowed"
	switch {
	case strings.Contains(text, "## Forbid"):
		ended = "refused"
	case strings.Contains(text, `"decision":"block"`):
		ended = "refused for another rule"
	case slices.ContainsFunc([]string{"since the session began", "not found now", "stay in force"}, func(part string) bool { return strings.Contains(text, part) }):
		ended = "changes named"
	case reply.Stderr != "" || strings.Contains(text, "could not"):
		ended = "could not check"
	}
	p.tally.add(made, p.refused, ended)
	if ended == "allowed" {
		p.fails("the stop is allowed in silence", reply)
	}
	if os.Getenv("PROTECTION_SEED") != "" {
		p.Logf("%s\n%s: %s", strings.Join(p.notes, "\n"), ended, text)
	}
}

func (p *protection) fails(what string, reply hidingReply) {
	p.Helper()
	p.Errorf("seed %d: %s; done before:\n%s\nanswer (status %d): %s%s", p.seed, what, strings.Join(p.notes, "\n"), reply.Status, reply.Stdout, reply.Stderr)
}

func (p *protection) pick(list ...string) string { return list[p.IntN(len(list))] }

// file returns a file that an agent writes.
func (p *protection) file() string {
	return p.pick("src/a.py", "src/new.py", "tests/a_test.py", "docs/a.md", ".gitignore", ".gitattributes", "src/.gitignore", ".gitmodules", "Makefile", "rulecheck.sh",
		".rulecheck/config.yml", ".rulecheck/rules/new.md", ".rulecheck/rules/pair.md", "packages/web/.rulecheck/rules/x.md", ".git/config", ".git/info/exclude", ".git/HEAD",
		".claude/settings.json", ".claude/settings.local.json", ".github/workflows/ci.yml", ".mailmap", "~/.config/rulecheck/rules/agents-force-push.md",
		filepath.Join(p.top, "home/.config/rulecheck/rules/agents-force-push.md"), filepath.Join(p.top, "home/.gitconfig"), filepath.Join(p.repo, "src/b.py"),
		filepath.Join(p.top, "elsewhere/x.md"))
}

func (p *protection) content() string {
	return p.pick("x\n", "", "*\n", "src/\n", "*.py -diff\n", "* binary\n", "rules: {enabled: false}\n", "---\nenabled: false\ntool: {command_pattern: x, effect: warn}\n---\nx\n",
		"exclude: ['**']\n", `{"disableAllHooks":true}`, "[alias]\n\tp = push --force\n", "a:\n\tgit push --force\n", "gitdir: ../elsewhere\n")
}

// line returns a shell line of one command or several.
func (p *protection) line() string {
	line := p.command()
	switch p.IntN(12) {
	case 0:
		return line + " && " + p.command()
	case 1:
		return line + "; " + p.command()
	case 2:
		return "cd " + p.pick("src", ".git", "..", "packages/web", "~", "../elsewhere", ".rulecheck", "/") + " && " + line
	case 3:
		return "(" + line + ") || true"
	case 4:
		return "bash -c " + "'" + strings.ReplaceAll(line, "'", `'\''`) + "'"
	}
	return line
}

// command returns one command.
func (p *protection) command() string {
	commit := func() string {
		return p.pick("old", "v0", "HEAD", "HEAD~1", "HEAD~2", "main", "origin/main", "origin/old", "work", "@{-1}", "stash")
	}
	path := func() string {
		return p.pick(".", "src", "src/a.py", ".rulecheck", ".rulecheck/rules/forbid.md", ".rulecheck/config.yml", ".claude", ".gitignore", "tests", "packages", "*", ".git", "../elsewhere")
	}
	switch p.IntN(6) {
	case 0, 1:
		return p.git(commit, path)
	case 5:
		return p.departure()
	case 2:
		return p.plumbing(commit, path)
	case 3:
		return p.shell(path)
	}
	return p.own(path)
}

// departure returns a command that leaves the state in which the rules are, if it is made.
func (p *protection) departure() string {
	n := strconv.Itoa(p.IntN(9))
	return p.pick(
		"git checkout -qf old", "git checkout -qf v0 -- .", "git switch -q -f --orphan d"+n, "git reset -q --hard v0", "git reset -q --hard origin/old", "git stash -qua", "git clean -ffdxq -e src", "git read-tree -um v0",
		"git checkout -qf --detach v0", "git restore -SW --source=v0 :/", "git commit -qam d; git checkout -qB work v0", "git checkout -q -B main v0", "git branch -qf main v0", "git push -q origin v0:refs/heads/n"+n,
		"git merge -q -s ours -m m old", "git merge -q --squash old", "git rebase -q --onto v0 HEAD~1", "git pull -q --rebase origin old", "git worktree add -qf ../away"+n+" v0 && cd ../away"+n, "git bisect start HEAD v0",
		"git sparse-checkout set --no-cone /src", "git sparse-checkout set tests", "git rm -rqf --cached .; git checkout -qf v0", "git submodule add -q -f ../origin.git mod"+n, "git checkout -qf old && git branch -qD work",
		"git stash -q && git checkout -qf v0", "git tag -d v0", "git remote update -p", "git fetch -q origin old:new"+n, "git notes add -m x v0", "git branch -m work main"+n, "git switch -qC work v0", "git revert -n HEAD~1", "git am -q --abort",
		"git update-index --add --cacheinfo 100644,$(git hash-object -w docs/a.md),.rulecheck/rules/forbid.md", "git config core.sparseCheckout true && git read-tree -mu HEAD", "git -C .. init -q", "git init -q --bare .", "git archive v0 | tar -x",
		"git show v0:docs/a.md > src/b.py", "git diff v0 | git apply -R", "git diff HEAD v0 | git apply --index", "git format-patch -q -1 && git am -q 0001*", "cd .. && git clone -q origin.git fresh"+n+" && cd fresh"+n, "git replace -d HEAD",
	)
}

func (p *protection) git(commit, path func() string) string {
	return "git " + p.pick(
		"checkout -q "+commit(), "checkout -qf "+commit(), "checkout -q "+commit()+" -- "+path(), "checkout -qb new"+strconv.Itoa(p.IntN(9)), "checkout -q --orphan o"+strconv.Itoa(p.IntN(9)),
		"switch -q "+commit(), "switch -q --orphan s"+strconv.Itoa(p.IntN(9)), "switch -qd "+commit(), "restore --source="+commit()+" "+path(), "restore --staged "+path(),
		"restore -SW --source="+commit()+" -- "+path(), "reset -q --hard "+commit(), "reset -q --soft "+commit(), "reset -q "+commit(), "reset -q "+commit()+" -- "+path(),
		"clean -fdxq", "clean -ffdxq "+path(), "stash -qu", "stash -qa", "stash pop -q", "rm -rq --cached "+path(), "rm -rfq "+path(), "mv "+path()+" moved"+strconv.Itoa(p.IntN(9)),
		"add -A", "add -f "+path(), "commit -qam x", "commit -q --allow-empty -m x", "commit -q --amend -m y", "commit -qm x -m 'Rulecheck-Waive: Forbid'", "merge -q "+commit(),
		"merge -q -s ours "+commit(), "rebase -q "+commit(), "cherry-pick "+commit(), "revert --no-edit "+commit(), "tag -f t "+commit(), "branch -f main "+commit(),
		"branch -f "+p.pick("old", "work", "origin/main")+" "+commit(), "branch -M main "+p.pick("master", "trunk"), "branch -D "+p.pick("main", "old", "work"), "branch -u origin/old",
		"branch --unset-upstream", "push -q origin HEAD:main", "push -q origin HEAD", "push -q origin "+commit()+":refs/heads/x", "push -q origin :old", "fetch -q", "fetch -q origin old:main",
		"fetch -q . old:refs/remotes/origin/main", "fetch -q --prune", "pull -q", "pull -q origin old", "worktree add -q ../wt"+strconv.Itoa(p.IntN(9))+" "+commit(), "worktree move . ../moved",
		"sparse-checkout set src", "sparse-checkout set docs --no-cone", "sparse-checkout init --cone", "sparse-checkout disable", "submodule add -q ../elsewhere sub", "submodule deinit --all",
		"apply ../work.patch", "am -q ../work.patch", "bisect start", "bisect reset", "notes add -m x", "gc -q", "init -q", "init -q "+path(), "init -q --separate-git-dir=../sep", "clone -q . ../clone"+strconv.Itoa(p.IntN(9)),
		"remote remove origin", "remote rename origin up", "remote add up ../elsewhere", "remote set-head origin old", "remote set-head origin -a", "remote set-head origin -d", "remote update", "remote prune origin",
		"config user.name x", "config core.bare true", "config core.worktree ..", "config core.excludesFile ~/x", "config core.hooksPath /dev/null", "config --global core.excludesFile ~/x",
		"config --local core.sparseCheckout true", "config core.ignoreCase true", "config core.fileMode false", "config core.symlinks false", "config core.autocrlf true", "config core.attributesFile x",
		"config core.fsmonitor true", "config core.untrackedCache true", "config core.trustctime false", "config core.checkStat minimal", "config core.preloadIndex false", "config core.quotePath false",
		"config core.repositoryFormatVersion 9", "config extensions.worktreeConfig true", "config extensions.x y", "config status.showUntrackedFiles no", "config diff.ignoreSubmodules all", "config diff.renames false",
		"config --unset remote.origin.url", "config --remove-section remote.origin", "config --rename-section remote.origin remote.x", "config branch.main.merge refs/heads/old", "config --edit", "config init.defaultBranch old",
		"config include.path ../x", "config filter.x.clean 'cat /dev/null'", "config alias.x 'push --force'", "-c core.worktree=.. status", "-c core.bare=true config user.x y", "config --worktree core.sparseCheckout true",
	)
}

func (p *protection) plumbing(commit, path func() string) string {
	return "git " + p.pick(
		"update-ref refs/remotes/origin/main "+commit(), "update-ref -d refs/remotes/origin/main", "update-ref HEAD "+commit(), "symbolic-ref HEAD refs/heads/old", "symbolic-ref HEAD refs/heads/none",
		"symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/old", "symbolic-ref -d refs/remotes/origin/HEAD", "replace "+commit()+" "+commit(), "replace --graft HEAD", "read-tree "+commit(), "read-tree -um "+commit(),
		"read-tree --reset -u "+commit(), "read-tree --empty", "checkout-index -af", "write-tree", "update-index --assume-unchanged src/a.py", "update-index --skip-worktree src/a.py", "update-index --no-skip-worktree src/a.py",
		"update-index --really-refresh", "update-index --force-remove src/a.py", "update-index --remove "+path(), "update-index --add --chmod=+x src/a.py", "update-index --split-index", "update-index --fsmonitor",
		"update-index --index-version 4", "update-index --untracked-cache", "update-index --info-only --add src/a.py", "update-index -g", "update-index --fsmonitor-valid src/a.py", "update-index --refresh",
		"hash-object -w src/a.py", "commit-tree HEAD^{tree} -m x", "mktree </dev/null", "fast-import </dev/null", "pack-refs --all", "prune", "repack -adq", "reflog expire --all --expire=now", "maintenance run",
		"filter-branch -f --tree-filter 'rm -rf .rulecheck' HEAD", "send-pack ../origin.git HEAD:refs/heads/y", "fetch-pack ../origin.git main", "unpack-objects </dev/null", "rev-parse HEAD", "ls-files -s", "merge-index cat -a",
		"stash store HEAD", "bundle create ../b HEAD", "worktree prune", "worktree lock .", "rerere clear", "credential-cache exit", "for-each-ref", "multi-pack-index write", "commit-graph write", "refs migrate --ref-format=reftable",
		"refs optimize", "backfill", "replay --onto main HEAD~1..HEAD", "checkout-index -f --prefix=../y/ src/a.py", "mergetool --tool=x", "difftool -y HEAD", "update-server-info", "shortlog HEAD", "merge-file src/a.py src/b.py src/a.py",
		"merge-tree HEAD main", "apply --cached ../work.patch", "apply -R ../work.patch", "apply --index --reject ../work.patch", "rm --cached -rq --ignore-unmatch "+path(), "archive -o ../x.tar HEAD", "interpret-trailers --in-place docs/a.md",
	)
}

func (p *protection) shell(path func() string) string {
	return p.pick(
		"rm -rf "+path(), "rm -f "+path()+"/*", "mv "+path()+" ../kept"+strconv.Itoa(p.IntN(9)), "mv "+path()+" "+path(), "cp -r ../elsewhere/. .", "cp -r ../elsewhere "+path(), "cp src/a.py src/d.py", "ln -sfn ../elsewhere "+path(), "ln -s .rulecheck linked",
		"ln -sf /dev/null "+path(), "ln -f docs/a.md "+path(), "chmod -R a-rwx "+path(), "chmod a-w "+path(), "touch "+path(), "mkdir -p .rulecheck/rules/x", "mkdir -p packages/web/.rulecheck/rules", "mkdir -p .git/x", "rmdir packages/web",
		"echo x >> "+path(), "echo '*' > .gitignore", "echo 'src' >> .gitignore", "echo '*.py binary' > .gitattributes", "echo '*.py filter=x' >> .gitattributes", "echo '* -text working-tree-encoding=UTF-16' > .gitattributes", "printf x > src/a.py",
		"sed -i s/FIXME/TODO/ "+path(), "find . -name '*.md' -delete", "find . -name config.yml -delete", "find . -type f -exec rm {} +", "find . -maxdepth 1 -name '.r*' -exec mv {} .. \\;", "ls | xargs rm -rf", "tar -xf ../x.tar", "patch -p1 < ../work.patch",
		"truncate -s 0 "+path(), "cat docs/a.md > "+path(), "tee src/a.py < docs/a.md", "install -m 644 docs/a.md "+path(), "rsync -a ../elsewhere/ .", "dd if=/dev/null of=docs/a.md", "python3 -c 'print(1)'", "make", "sh rulecheck.sh",
		"mkdir -p ~/.config/rulecheck/rules", "cp docs/a.md ~/.config/rulecheck/rules/agents-force-push.md", "cp docs/a.md ~/.gitconfig", "echo x > ~/x", "mkdir -p ~/bin", "unset HOME", "export RULECHECK_SKIP=forbid", "export GIT_DIR=../elsewhere",
		"export XDG_CONFIG_HOME=/tmp", "umask 0777", "alias git=true", "history -c", "kill -0 $$", "cd ..", "rename 's/a/b/' src/*", "cd .. && mv repo moved && mkdir repo", "cd .. && cp -r elsewhere repo2", "rm -rf ../repo/.rulecheck", "mv ../repo/.git ../git",
		"unzip ../x.zip", "bash -c 'rm -r .rulecheck'", "env -i rm -r .rulecheck", "sync", "true", "echo done", "ls -la", "cat .rulecheck/rules/forbid.md", "grep -r FIXME src", "wc -l src/*",
	)
}

func (p *protection) own(path func() string) string {
	return "rulecheck " + p.pick(
		"", "--fix", "--staged", "--since main", "--skip forbid", "--rules-from base", "rules list", "rules validate", "rules test", "uninstall claude", "uninstall git", "install claude", "install claude --observe", "install git", "install cursor", "install codex --observe",
		"baseline", "baseline list", "baseline accept --reason x", "baseline prune", "snapshot take", "snapshot list", "snapshot drop --all", "snapshot prune", "trust", "trust list", "trust --yes", "workflow list", "workflow start discovery", "workflow start session-lifecycle",
		"workflow abort", "workflow next x", "workflow prune", "workflow delete --all", "workflow recover", "init", "init --yes", "suggest", "suggest --write", "packs list", "packs update", "packs fetch", "doctor", "doctor --probe", "explain src/a.py", "audit", "audit .git/rulecheck/journal",
		"audit --coverage", "events", "replay", "try "+path(), "fleet list", "modes", "hook claude </dev/null", "recover", "engine", "completion bash", "help check", "comment", "mcp </dev/null", "waive forbid", "ci", "schema", "rules migrate", "rules schema", "rules new x",
	)
}
