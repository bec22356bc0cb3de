package commands_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// hostile lists commands that try to change files outside of their copy. $T is the directory of
// everything, $1 the file.
var hostile = []string{
	// directly
	`echo x >>$HOME/.ssh/id`, `rm -rf $HOME/.ssh`, `mv $HOME/.ssh $HOME/.moved`, `chmod 777 $HOME $HOME/.ssh/id`, `touch -d 2001-01-01 $HOME/.ssh/id`,
	`chown 12345:12345 $HOME/.ssh/id`, `chown $(id -u) $HOME/.ssh/id`, `ln $HOME/.ssh/id $HOME/linked`, `ln -s x $HOME/.bashrc`, `mkfifo $HOME/pipe`, `truncate -s 0 $HOME/.ssh/id`,
	`: <>$HOME/.ssh/id`, `python3 -c 'import os,sys; os.setxattr(os.environ["HOME"]+"/.ssh/id", "user.y", b"1")'`, `chmod -R a+rwx $T`, `rm -rf $T`,
	`echo x >$T/cache/other/tools/x; rm -rf $T/cache/other`, `touch $T/temp/x; chmod 777 $T/temp; rm -rf $T/temp`, `echo x >>$T/shm/victim`, `echo x | tee /dev/pts/*`,
	// the repository
	`git config --global user.name x`, `git -C $T/project config core.hooksPath x`, `git -C $T/project add -A`, `chmod 700 $T/project/.git/index; echo x >$T/project/.git/index`,
	`echo '#!/bin/sh' >$T/project/.git/hooks/pre-commit; chmod +x $T/project/.git/hooks/pre-commit`, `touch $T/project/.git/index.lock`,
	`echo x >>sibling; chmod 777 sibling; touch sibling`, `chmod -R 777 linked; rm -rf linked/*`, `cp /etc/passwd linked/m`, `sed -i s/a/b/ $T/project/*`,
	// by replacing what rulecheck reads and writes
	`rm "$1"; ln -s $HOME/.ssh/id "$1"`, `ln -f $HOME/.ssh/id "$1"`, `ln -sf $T/project/f "$1"; echo x >"$1"`, `rm -rf "$1"; mkfifo "$1"`, `truncate -s 100G "$1"`,
	`mkdir -p "$1.d"; rm "$1"; mv "$1.d" "$1"; chmod 0 "$1"`, `d=$(dirname "$1"); mv "$d" moved; ln -s $HOME/.ssh "$d"; exit 1`, `d=$PWD; cd ..; mv "$d" moved; ln -s $HOME "$d"`,
	`cd ../..; for n in 1 2 tmp; do mv $n $n.moved; ln -s $HOME $n; done`, `cd ../../..; for n in *; do mv $n $n.moved; ln -s $HOME $n; done`, `cd ../../../..; for n in *; do mv $n $n.moved; ln -s $HOME $n; done`,
	`rm -rf "$TMPDIR"; ln -s $HOME "$TMPDIR"`, `ln -s $HOME "$TMPDIR/0"; ln -s $HOME $TMPDIR/../0`, `mv ../../2 ../../3; ln -s $HOME ../../2`, `ln -s $HOME ../../2/project`,
	`rm -rf .git; ln -s $T/project/.git .git; git add -A; git gc`, `rm -rf "$XDG_CACHE_HOME"; ln -s $HOME "$XDG_CACHE_HOME"`, `ln -s $HOME "$XDG_CACHE_HOME/x"; echo x >"$XDG_CACHE_HOME/x/.bashrc"`,
	// by what stays
	`setsid sh -c 'while :; do echo x >>$HOME/.ssh/id; ln -sfn $HOME ../../2; rm -rf "$1"; ln -s $HOME/.ssh/id "$1"; done' sh "$1" >/dev/null 2>&1 &`,
	`(sleep 0.05; rm -rf $HOME/.ssh ../../2) & `, `kill -9 $PPID`, `kill -STOP $PPID`, `kill -9 -1`,
	// by much
	`head -c 300000000 /dev/zero >"$1"`, `i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done; chmod 0 .`, `mkdir locked; touch locked/x; chmod 0 locked`,
	`i=0; while [ $i -lt 50 ]; do (sleep 100 &) ; i=$((i+1)); done`, `yes | head -c 3000000`,
}

// TestLaw runs hostile commands one by one, and together in several orders: no file
// outside of the copies has other bytes or another mode, owner, time or attribute
// afterwards.
func TestLaw(t *testing.T) {
	orders, step := 1, 1
	if testing.Short() {
		step = (len(hostile) + lawtest.Short - 1) / lawtest.Short // the others only together
	}
	if n, err := strconv.Atoi(os.Getenv("RULECHECK_ORDERS")); err == nil {
		orders = n
	}
	for _, level := range []sandbox.Level{sandbox.Namespaces, sandbox.Landlock} {
		t.Run(string(level), func(t *testing.T) {
			commands.LowerSandbox(t, level)
			w := newVictims(t)
			for i := 0; i < len(hostile); i += step {
				w.holds(t, level, hostile[i], w.attack(i))
			}
			for order := range orders {
				var jobs []commands.Job
				for _, i := range rand.New(rand.NewPCG(uint64(order), 0)).Perm(len(hostile)) {
					jobs = append(jobs, w.attack(i))
				}
				w.holds(t, level, fmt.Sprint("all, order ", order), jobs...)
			}
		})
	}
	if os.Getuid() == 0 {
		t.Run("as an ordinary user", asOrdinary)
	}
}

// victims is a project with other files that commands must not change.
type victims struct {
	*project
	top string
}

func newVictims(t *testing.T) *victims {
	t.Helper()
	files := map[string]string{}
	for i := range hostile {
		files[fmt.Sprintf("dir%d/f", i)] = "before\n"
	}
	w := &victims{project: newProject(t, files)}
	w.top = filepath.Dir(w.root)
	for name, content := range map[string]string{
		"home/.ssh/id": "secret", "home/.gitconfig": "[user]\n", "cache/other/tools/prettier": "#!/bin/sh\n", "shm/victim": "x", "temp/other": "x",
		"project/sibling": "s", "project/linked/m": "m", "project/.git/index": "index", "project/.git/hooks/sample": "#!/bin/sh\n", "project/.git/HEAD": "ref: refs/heads/main\n",
		"project/.git/config": "[core]\n", "project/.git/objects/x": "", "project/.git/refs/x": "",
	} {
		w.put(t, "../"+name, content, false)
		_ = unix.Setxattr(filepath.Join(w.top, name), "user.x", []byte("1"), 0)
	}
	w.options.Cache = filepath.Join(w.top, "cache", "this")
	w.options.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(w.top, "home")}
	w.options.Jobs = 3
	if err := os.Mkdir(w.options.Cache, 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// attack is the job of a hostile command.
func (w *victims) attack(i int) commands.Job {
	job := w.job(fmt.Sprint("r", i), "sh", "-c", "T="+w.top+"; "+hostile[i], "sh", "{file}")
	job.Files = []string{fmt.Sprintf("dir%d/f", i)}
	return job
}

// holds runs jobs and compares the world before and after.
func (w *victims) holds(t *testing.T, level sandbox.Level, name string, jobs ...commands.Job) {
	t.Helper()
	before := world(t, w.top, w.options.Cache)
	r, err := commands.Run(t.Context(), jobs, w.options)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if r.Sandbox != level {
		t.Skipf("this system has only %s: %s", r.Sandbox, r.Notices)
	}
	after := world(t, w.top, w.options.Cache)
	for file, state := range before {
		if after[file] != state {
			t.Errorf("%s: %s is %s and was %s", name, file, after[file], state)
		}
	}
	for file := range after {
		if _, known := before[file]; !known {
			t.Errorf("%s: %s is new", name, file)
		}
	}
	for _, e := range r.Edits {
		if strings.Contains(string(e.After), "secret") {
			t.Errorf("%s: the content of a file outside is written to %s", name, e.Path)
		}
	}
	for _, o := range r.Outcomes {
		if len(jobs) == 1 && strings.Contains(o.Failed, "cannot run") {
			t.Errorf("%s: %s", name, o.Failed)
		}
		if os.Getenv("RULECHECK_SHOW") != "" {
			t.Logf("%s: status %d, %s, %s", name, o.Exit, o.Failed, o.Stderr)
		}
	}
	w.ended(t)
}

// world describes everything below dir, without what commands may change: names, modes,
// owners, times of content and of status, sizes, bytes and attributes.
func world(t *testing.T, dir, without string) map[string]string {
	t.Helper()
	states := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == without {
			return fs.SkipDir
		}
		var info unix.Stat_t
		if err := unix.Lstat(name, &info); err != nil {
			return err
		}
		if name == filepath.Join(dir, "temp") { // runs have their directories there
			info.Mtim, info.Ctim, info.Nlink = unix.Timespec{}, unix.Timespec{}, 0
		}
		content := ""
		if e.Type().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			content = string(data)
		}
		names := make([]byte, 1000)
		n, _ := unix.Llistxattr(name, names)
		states[name] = fmt.Sprintf("%o %d:%d %v %v %d %q %q", info.Mode, info.Uid, info.Gid, info.Mtim, info.Ctim, info.Nlink, content, names[:max(n, 0)])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// asOrdinary runs the law again as an ordinary user.
func asOrdinary(t *testing.T) {
	const ordinary = 12345
	dir, err := os.MkdirTemp("", "rulecheck-law-*") //nolint:usetesting // another user must be able to enter it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	for _, err := range []error{
		os.Chmod(dir, 0o755), os.WriteFile(dir+"/commands.test", program, 0o755), os.Mkdir(home, 0o755), os.Chown(home, ordinary, ordinary),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), dir+"/commands.test", "-test.run", "^TestLaw$", "-test.short="+strconv.FormatBool(testing.Short()))
	cmd.Dir, cmd.Env = home, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "RULECHECK_ORDERS=" + os.Getenv("RULECHECK_ORDERS"), "GORACE=" + gittest.Race}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
