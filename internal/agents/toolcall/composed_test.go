package toolcall_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// composer makes lines that write a file, or run a program, in many ways.
type composer struct {
	*rand.Rand

	root    string // of the scratch repository
	letters int    // for new names
	before  []string
}

func (c *composer) pick(list ...string) string { return list[c.IntN(len(list))] }

// fresh returns a new name of a variable, a function or a file.
func (c *composer) fresh(prefix string) string {
	c.letters++
	return fmt.Sprintf("%s%d", prefix, c.letters)
}

// first adds a statement before the one that is made.
func (c *composer) first(format string, args ...any) {
	c.before = append(c.before, fmt.Sprintf(format, args...))
}

// spell returns a word whose value is a text of letters, digits, slashes and dots.
func (c *composer) spell(s string) string {
	v := c.fresh("v")
	at := c.IntN(len(s))
	head, tail := s[:at], s[at:]
	ref := func(expansion string) string {
		if c.IntN(3) == 0 {
			return expansion
		}
		return `"` + expansion + `"`
	}
	switch c.IntN(42) {
	case 0:
		return quoted(s)
	case 1:
		return `"` + s + `"`
	case 2:
		return head + `""` + tail
	case 3:
		return head + `\` + tail
	case 4:
		return fmt.Sprintf(`$'\x%02x%s'`, s[0], s[1:])
	case 5:
		c.first("%s=%s", v, s)
		return ref("$" + v)
	case 6:
		c.first("%s=%s", v, tail)
		return head + ref("${"+v+"}")
	case 7:
		c.first("%s=x%s", v, s)
		return ref("${" + v + "#x}")
	case 8:
		c.first("%s=%s.x", v, s)
		return ref("${" + v + "%.x}")
	case 9:
		c.first("%s=%s@%s", v, head, tail)
		return ref("${" + v + "/@/}")
	case 10:
		c.first("%s=@%s", v, s[1:])
		return ref("${" + v + "/#@/" + s[:1] + "}")
	case 11:
		c.first("%s=%s@", v, s[:len(s)-1])
		return ref("${" + v + "/%@/" + s[len(s)-1:] + "}")
	case 12:
		c.first("%s=%s", v, strings.ToUpper(s))
		return ref("${" + v + ",,}")
	case 13:
		c.first("declare -l %s=%s", v, strings.ToUpper(s))
		return ref("$" + v)
	case 14:
		c.first("typeset -l %s; %s=%s", v, v, strings.ToUpper(s))
		return ref("$" + v)
	case 15:
		c.first("%s=xx%s", v, s)
		return ref("${" + v + ":2}")
	case 16:
		c.first("%s=%s; n%s=%s", v, s, v, v)
		return ref("${!n" + v + "}")
	case 17:
		c.first("%s=(a %s b)", v, s)
		return ref("${" + v + "[1]}")
	case 18:
		c.first("%s[3]=%s", v, s)
		return ref("${" + v + "[3]}")
	case 19:
		c.first("declare -A %s; %s[k]=%s", v, v, s)
		return ref("${" + v + "[k]}")
	case 20:
		c.first("%s=%s; %s+=%s", v, head, v, tail)
		return ref("$" + v)
	case 21:
		return ref("${" + v + ":-" + s + "}")
	case 22:
		c.first("unset %s; : ${%s:=%s}", v, v, s)
		return ref("$" + v)
	case 23:
		c.first("%s=; : \"${%s:=%s}\"", v, v, s)
		return ref("$" + v)
	case 24:
		c.first("%s=1", v)
		return ref("${" + v + ":+" + s + "}")
	case 25:
		c.first("printf -v %s -- %%s %s", v, s)
		return ref("$" + v)
	case 26:
		c.first("printf -v%s %s", v, s)
		return ref("$" + v)
	case 27:
		c.first("read -r %s <<< %s", v, s)
		return ref("$" + v)
	case 28:
		c.first("mapfile -t %s <<< %s", v, s)
		return ref("${" + v + "[0]}")
	case 29:
		return ref("$(echo " + s + ")")
	case 30:
		return ref("$(printf %s " + head + " " + tail + ")")
	case 31:
		return "`cat <<< " + s + "`"
	case 32:
		c.first("set -- a %s", s)
		return ref("$2")
	case 33:
		c.first("export %s=%s", v, s)
		return ref("$" + v)
	case 34:
		c.first("declare -n r%s=%s; r%s=%s", v, v, v, s)
		return ref("$" + v)
	case 35:
		c.first("read -r a%s %s <<< 'x %s'", v, v, s)
		return ref("$" + v)
	case 36:
		c.first("%s=1 && eval %s=%s", v, v, s)
		return ref("$" + v)
	case 37:
		c.first("%s() { echo %s; }", v, s)
		return ref("$(" + v + ")")
	case 38:
		c.first("%s=%s; %s=\"${%s:0:%d}%s\"", v, s, v, v, at, tail)
		return ref("$" + v)
	case 39:
		c.first("if true; then %s=%s; else %s=b; fi", v, s, v)
		return ref("$" + v)
	case 40:
		c.first("IFS=, read -ra %s <<< a,%s,b", v, s)
		return ref("${" + v + "[1]}")
	}
	return s
}

// reach returns a word for a file of the scratch root, DIR/NAME, through directories, links and
// descriptors.
func (c *composer) reach(file string) string {
	dir, name := filepath.Dir(file), filepath.Base(file)
	link := c.fresh("l")
	exists := name != "new.sql"
	switch c.IntN(26) {
	case 0:
		return c.root + "/" + c.spell(file)
	case 1:
		return `"$PWD"/` + c.spell(file)
	case 2:
		return "./" + c.spell(file)
	case 3:
		return "docs/../" + c.spell(file)
	case 4:
		c.first("cd %s", c.spell(dir))
		return c.spell(name)
	case 5:
		c.first("pushd %s > /dev/null", c.spell(dir))
		return c.spell(name)
	case 6:
		c.first("cd docs; cd ../%s", dir)
		return c.spell(name)
	case 7:
		c.first("cd %s && cd - > /dev/null", dir)
		return c.spell(file)
	case 8:
		c.first("ln -s %s %s", c.spell(dir), link)
		return link + "/" + c.spell(name)
	case 9:
		c.first("ln -s \"$PWD\" /tmp/%s-$$; mv /tmp/%s-$$ %s", link, link, link)
		return link + "/" + file
	case 10:
		if exists {
			c.first("%s %s %s", c.pick("ln", "ln -s", "cp -l", "cp --link", "cp -s \"$PWD\"/", "link"), file, link)
			c.before[len(c.before)-1] = strings.Replace(c.before[len(c.before)-1], "/ ", "/", 1)
			return link
		}
	case 11:
		c.first("cp -%s %s %s", c.pick("al", "rl", "Rl"), dir, link)
		if exists {
			return link + "/" + name
		}
	case 12:
		return "/proc/" + c.pick("self", "$$", "thread-self", "$BASHPID") + "/cwd/" + c.spell(file)
	case 13:
		return "/proc/self/root" + c.root + "/" + file
	case 14:
		return "/dev/fd/../cwd/" + file
	case 15:
		c.first("exec 9<%s", dir)
		return c.pick("/proc/self/fd/9/", "/dev/fd/9/") + c.spell(name)
	case 16:
		c.first("exec 8<>%s", c.spell(file))
		return c.pick("/dev/fd/8", "/proc/self/fd/8")
	case 17:
		c.first("cd /; cd %s", c.root)
		return c.spell(file)
	case 18:
		return "~+/" + file
	case 19:
		if exists {
			return c.pick(dir+"/"+name[:1]+"*", dir[:2]+"*/"+name, "["+dir[:1]+"]"+dir[1:]+"/"+name, dir+"/?.sql", "{"+dir+",}/"+name)
		}
	case 20:
		c.first("CDPATH=%s:. && cd %s > /dev/null", c.root, dir)
		return name
	case 21:
		c.first("mkdir -p %s && ln -s ../%s %s/d", link, dir, link)
		return link + "/d/" + name
	case 22:
		c.first("HOME=%s; cd", c.root)
		return c.pick("~/", "$HOME/", "") + file
	}
	return c.spell(file)
}

// write returns a command that writes the file of a word.
func (c *composer) write(w string) string {
	return strings.ReplaceAll(c.pick(
		"echo x > W", "echo x >> W", "echo x >| W", ": > W", "echo x &> W", "echo x 1<> W", "> W echo x", "{ echo x; } > W", "(echo x) > W", "echo x 2>&1 > W",
		"echo x | tee W", "tee -a W <<< x", "tee docs/c W < docs/a > /dev/null", "cat docs/a > W", "cat > W <<E\nx\nE", "printf x > W",
		"cp docs/a W", "cp -f docs/a W", "cp --remove-destination docs/a W", "cp -T docs/a W", "mv docs/a W", "mv -f docs/b W", "install -m 600 docs/a W", "ln -f docs/a W", "ln -sf ../docs/a W",
		"touch W", "truncate -s 0 W", "dd if=docs/a of=W status=none", "sort docs/a -o W", "sort -uo W docs/a", "sed -i s/a/b/ W", "sed -n -e 'w '\"W\" docs/a", "sed -i.bak 1d W", "rm -f W", "unlink W", "chmod 600 W",
		"uniq docs/a W", "shuf docs/a -o W", "gzip -f W", "echo W | xargs touch", "printf '%s\\n' W | xargs -I@ cp docs/a @", "printf '%s\\0' W | xargs -0 rm -f", "find docs -name a -exec cp {} W \\;", "split -n 1 docs/a W",
		"find . -maxdepth 0 -exec touch W \\;", "env time -o W true", "/usr/bin/time -o W true", "git merge-file W docs/a docs/b", "git diff --no-index --output=W docs/a docs/b", "GIT_TRACE=\"$(realpath W)\" git --version", "git interpret-trailers --in-place --trailer a:b W",
		"python3 -c 'import sys; open(sys.argv[1], \"w\")' W", "perl -e 'open F, \">\", shift' W", "perl -pi -e s/a/b/ W", "perl -0777lpi -e s/a/b/ W", "awk '{ print > ARGV[2]; exit }' docs/a W", "awk -v f=W '{ print > f }' docs/a", "curl -s -o W file://\"$PWD\"/docs/a",
		"script -qc true W > /dev/null", "exec 7> W; echo x >&7", "exec 7>> W; echo x > /dev/fd/7", "sh -c 'echo x > /dev/stdin' < W", "while read -r x; do echo y; done < docs/a > W", "for x in W; do echo y > \"$x\"; done", "g() { echo x > \"$1\"; }; g W",
		"mkdir -p s && cp docs/a s/a && cp s/a W", "tar -cf W docs", "zip -q W docs/a", "rsync docs/a W", "patch -s -o W docs/a < /dev/null", "setfattr -n user.x -v y W", "mkdir -p W", "rename s/1/2/ W", "truncate --size=+1 W", "exec > W; echo x", "read -r x < docs/a; echo \"$x\" > W", "cmp -s docs/a W || echo x > W",
		"bash -c 'echo x > \"$0\"' W", "sh -c 'tee \"$1\" < docs/a' x W", "sh -s W <<< 'touch \"$1\"'", "eval 'echo x > W'", "echo 'echo x > \"$1\"' > s.sh; bash s.sh W", "printf 'a:\\n\\ttouch $(F)\\n' > Makefile; make -s F=W", "xargs -a docs/names touch W", "ed -s W <<< w", "node -pe 'fs.writeFileSync(process.argv[1], \"\")' W",
	), "W", w)
}

// wrap returns a line that does what a line does.
func (c *composer) wrap(l string) string {
	f := c.fresh("f")
	q := quoted(l)
	switch c.IntN(46) {
	case 0:
		return "bash -c " + q
	case 1:
		return "sh -c " + quoted("bash -c "+q)
	case 2:
		return "eval " + q
	case 3:
		return "bash <<'E" + f + "'\n" + l + "\nE" + f + "\n"
	case 4:
		return "bash <<< " + q
	case 5:
		return "{\n" + l + "\n}"
	case 6:
		return "(\n" + l + "\n)"
	case 7:
		return "if true; then\n" + l + "\nfi"
	case 8:
		return "for i in 1; do\n" + l + "\ndone"
	case 9:
		return "while :; do\n" + l + "\nbreak; done"
	case 10:
		return "case x in *)\n" + l + "\n;; esac"
	case 11:
		return f + "() {\n" + l + "\n}; " + f
	case 12:
		return "env A=1 bash -c " + q
	case 13:
		return "timeout -k 5 60 bash -c " + q
	case 14:
		return "nice -n 3 bash -c " + q
	case 15:
		return "printf '%s\\n' " + q + " | bash"
	case 16:
		return "trap " + q + " EXIT"
	case 17:
		return "x=$(\n" + l + "\n)"
	case 18:
		return "false || {\n" + l + "\n}"
	case 19:
		return "echo x | xargs -I@@ bash -c " + q
	case 20:
		return f + "=" + q + "; eval \"$" + f + "\""
	case 21:
		return "bash <(echo " + q + ")"
	case 22:
		return "{\n" + l + "\n} 2>&1 | cat > /dev/null"
	case 23:
		return "echo " + q + " > " + f + ".sh; " + c.pick("bash ", ". ./", "source ", "sh -c 'bash \"$0\"' ") + f + ".sh"
	case 24:
		return "source /dev/stdin <<< " + q
	case 25:
		return "set -- " + q + "; bash -c \"$1\""
	case 26:
		return "env -S bash -c " + q
	case 27:
		return "command eval " + q
	case 28:
		return "builtin eval " + q
	case 29:
		return "exec bash -c " + q
	case 30:
		return "stdbuf -o0 bash -c " + q
	case 31:
		return "setsid -w bash -c " + q
	case 32:
		return "shopt -s expand_aliases\nalias " + f + "=" + quoted("eval "+q) + "\n" + f
	case 33:
		return "shopt -s expand_aliases\nalias " + f + "='eval ' " + f + "b=" + quoted(q) + "\n" + f + " " + f + "b"
	case 34:
		return "git -c alias." + f + "=" + quoted("!cd \"$OLDPWD\" 2>/dev/null; bash -c "+q) + " --version; " + l
	case 35:
		return "flock docs/a bash -c " + q
	case 36:
		return "exec 6<<< " + q + "; bash <&6"
	case 37:
		return "bash /dev/fd/5 5<<< " + q
	case 38:
		return "cat <<'E" + f + "' | sh -c 'bash -s'\n" + l + "\nE" + f + "\n"
	case 39:
		return "printf 'a:\\n\\tbash -c \"$$L\"\\n' > GNUmakefile; L=" + q + " make -s a"
	case 40:
		return "chmod +x docs/a; printf '#!/bin/bash\\n%s\\n' " + q + " > " + f + "; chmod +x " + f + "; ./" + f
	case 41:
		return "bash -c '\"$@\"' x bash -c " + q
	case 42:
		return "\"$BASH\" -c " + q
	case 43:
		return "BASH_ENV=<(echo " + q + ") bash -c :"
	case 44:
		return "command -p bash -c " + q
	}
	return l
}

// line makes one line.
func (c *composer) line() string {
	c.before = nil
	var last string
	switch c.IntN(6) {
	case 0:
		name := c.spell("forbid")
		last = name + " now"
		if c.IntN(3) == 0 {
			last = c.pick("command ", "env ", "nice ", "timeout 60 ", "exec ", "xargs <<< now ", "nohup ", "time -p ", "builtin command ", "env A=1 -- ", "find docs -maxdepth 0 -exec ", "! ") + name + " now"
			if strings.HasPrefix(last, "find") {
				last += " \\;"
			}
		}
	case 1, 2:
		last = c.write(c.reach(c.pick("docs/1.sql", "docs/new.sql", "docs/sub/2.sql")))
	default:
		last = c.write(c.reach(c.pick("protected/1.sql", "protected/new.sql", "protected/sub/2.sql")))
	}
	l := strings.Join(append(c.before, last), c.pick("; ", "\n", " && "))
	for range c.IntN(3) {
		l = c.wrap(l)
	}
	return l
}

// scratch is a directory with a repository's files, in which lines are run.
type scratch struct{ dir, root string }

// reset makes the files as they are before a line.
func (s scratch) reset() error {
	for _, d := range []string{"repo", "home"} {
		if err := os.RemoveAll(filepath.Join(s.dir, d)); err != nil {
			return err
		}
	}
	old := time.Unix(1e9, 0)
	for name, text := range map[string]string{
		"protected/1.sql": "a\n", "protected/sub/2.sql": "a\n", "docs/1.sql": "a\n", "docs/sub/2.sql": "a\n", "docs/a": "a\n", "docs/b": "b\n", "docs/names": "docs/n\n", "../home/x": "x\n",
	} {
		file := filepath.Join(s.root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
		if err := os.Chtimes(file, old, old); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(s.dir, "forbidden"))
}

// state describes the protected files: names, kinds, contents and times.
func (s scratch) state() string {
	var b strings.Builder
	_ = filepath.WalkDir(filepath.Join(s.root, "protected"), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a line may make it unreadable
		}
		if d.IsDir() {
			fmt.Fprintln(&b, p)
			return nil
		}
		info, err := os.Lstat(p)
		if err != nil {
			return nil //nolint:nilerr // it is gone
		}
		text, _ := os.ReadFile(p)
		fmt.Fprintln(&b, p, info.Mode(), info.ModTime().UnixNano(), string(text))
		return nil
	})
	return b.String()
}

// run runs a line and reports whether it changed a protected file or ran the forbidden program; not ok
// where it did not end.
func (s scratch) run(ctx context.Context, line string) (did, ok bool, err error) {
	if err := s.reset(); err != nil {
		return false, false, err
	}
	before := s.state()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir = s.root
	cmd.Env = []string{"PATH=" + s.dir + "/bin:/usr/local/bin:/usr/bin:/bin", "HOME=" + s.dir + "/home", "LC_ALL=C", "TMPDIR=" + s.dir, "GIT_CEILING_DIRECTORIES=" + s.dir, "PWD=" + s.root}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // many lines fail in part
	if ctx.Err() != nil {
		return false, false, nil
	}
	_, ran := os.Stat(filepath.Join(s.dir, "forbidden"))
	return s.state() != before || ran == nil, true, nil
}

// TestComposed runs composed lines in a scratch directory and compares what they did with the decision:
// none that wrote a protected file, or ran a forbidden program, may be allowed. RULECHECK_COMPOSED
// sets how many are tried, and COMPOSED_SEED another series of them.
func TestComposed(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	n := lawtest.Cases(t, "RULECHECK_COMPOSED", 200)
	c := load(t, nil, map[string]string{
		"protected.md": "---\ntool: {paths: 'protected/**', effect: deny}\n---\nNo.\n",
		"forbid.md":    "---\ntool: {command_pattern: '^forbid( |$)', effect: deny}\n---\nNo.\n",
	})
	var seed uint64
	_, _ = fmt.Sscan(os.Getenv("COMPOSED_SEED"), &seed)
	var mu sync.Mutex
	counts := map[string]int{}
	var group sync.WaitGroup
	const workers = 2
	for worker := range uint64(workers) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		s := scratch{dir: dir, root: filepath.Join(dir, "repo")}
		if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "bin", "forbid"), []byte("#!/bin/sh\n: > '"+dir+"/forbidden'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			lines := &composer{Rand: rand.New(rand.NewPCG(seed+worker, uint64(n))), root: s.root} // the same in every run
			for range n / workers {
				line := lines.line()
				did, ok, err := s.run(t.Context(), line)
				if err != nil {
					t.Error(err)
					return
				}
				d, err := c.Decide(t.Context(), toolcall.Call{
					Agent: "claude", Tool: "Bash", Input: map[string]any{"command": line}, World: bash.World{Root: s.root, Home: dir + "/home"}, Now: "2026-01-01T00:00:00Z",
				})
				mu.Lock()
				switch {
				case err != nil || len(d.Failed) > 0:
					t.Errorf("%v %v: %s", err, d.Failed, line)
				case !ok:
					counts["did not end"]++
				case did && d.Effect == toolcall.Allow:
					counts["passed"]++
					t.Errorf("allowed, and it was done:\n%s", strings.ReplaceAll(line, dir, "/scratch"))
				case did:
					counts["done and "+d.Effect]++
				default:
					counts["not done and "+d.Effect]++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	names := make([]string, 0, len(counts))
	for name, count := range counts {
		names = append(names, fmt.Sprintf("%s: %d", name, count))
	}
	slices.Sort(names)
	t.Log(strings.Join(names, ", "))
	if n >= 100 && counts["done and deny"] < n/4 {
		t.Errorf("of %d lines few are done and denied: %v", n, names)
	}
}
