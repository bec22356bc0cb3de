package commands

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// pass is one run of units in one copy.
type pass struct {
	*scratch
	files  map[string]*track // of the jobs, by path
	trials []trial           // by unit; zero: it did not run
	killed []string          // programs that were still running at the end
	kept   []string          // files that a program replaced and that stay executable
	news   []string          // files that commands created
}

// track is the state of a file during a pass. Only the unit that holds the file
// accesses it.
type track struct{ start, now File }

func (t *track) changed() bool { return !t.now.same(t.start) }

// trial is the run of a unit in a pass.
type trial struct {
	exit
	ran     bool
	undone  bool     // its changes were reverted
	kept    []string // files whose executable bit was kept
	argv    []string
	changes []change
	took    time.Duration
}

// change is a file that a unit changed.
type change struct{ before, after File }

func (t *trial) succeeded() bool { return t.ran && t.failed == "" && t.status == 0 }

func (t *trial) names() []string {
	names := make([]string, len(t.changes))
	for i, c := range t.changes {
		names[i] = c.before.Path
	}
	return names
}

// pass runs the wanted units in a new copy with layout l.
func (r *runner) pass(ctx context.Context, name string, l *layout, wanted func(int) bool) (*pass, error) {
	// Some programs derive a project's name from its directory.
	project := "repository"
	if r.Tree.Root != "" && filepath.Dir(r.Tree.Root) != r.Tree.Root {
		project = filepath.Base(r.Tree.Root)
	}
	s, err := l.create(r.tops[name], project, filepath.Join(r.space.scratch(), name, project), r.Tree.Root)
	if err != nil {
		return nil, fmt.Errorf("make a scratch copy: %w", err)
	}
	defer s.root.Close()
	p := &pass{scratch: s, files: make(map[string]*track, l.named), trials: make([]trial, len(r.units))}
	for _, f := range l.files[:l.named] {
		p.files[f.Path] = &track{start: f.File, now: f.File}
	}
	schedule(r.units, r.Jobs, wanted, func(i int) {
		if ctx.Err() == nil {
			r.try(ctx, p, name, i)
		}
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range p.trials {
		p.killed = append(p.killed, p.trials[i].killed...)
		p.kept = append(p.kept, p.trials[i].kept...)
	}
	slices.Sort(p.kept)
	p.kept = slices.Compact(p.kept)
	slices.Sort(p.killed)
	p.killed = slices.Compact(p.killed)
	p.verify(r.units)
	p.news = s.created()
	return p, nil
}

// try runs one unit and collects its changes, or reverts them if it failed, so that
// the next unit starts from the result of the last successful one.
func (r *runner) try(ctx context.Context, p *pass, name string, i int) {
	u, t := r.units[i], &p.trials[i]
	t.argv = expand(u.Action, u.given, ".")
	place := <-r.slots
	defer func() { r.slots <- place }()
	r.report(i, t.argv, name == proof, false)
	defer r.report(i, t.argv, name == proof, true)
	replaced, release := p.watch(u.held)
	defer release()
	began := r.Now()
	var temp string
	if temp, t.exit = r.call(ctx, p, u, place); t.failed != "" && t.status == 0 {
		t.status = -1
	}
	t.took = r.Now().Sub(began)
	t.ran = true
	p.collect(u, t, replaced)
	names := []string{p.dir + "/", "", p.dir, "."}
	if strings.HasPrefix(temp, r.space.path) { // else its name is the same in every run
		names = append(names, temp, "$TMPDIR")
	}
	if len(t.stdout)+len(t.stderr)+len(t.failed) > 0 {
		plain := strings.NewReplacer(names...)
		t.stdout, t.stderr = []byte(plain.Replace(string(t.stdout))), []byte(plain.Replace(string(t.stderr)))
		t.failed = plain.Replace(t.failed)
	}
}

// call runs the command of a unit in the sandbox of a slot, which is made if necessary,
// and returns the command's temporary directory as well.
func (r *runner) call(ctx context.Context, p *pass, u *unit, place *slot) (temp string, e exit) {
	if place.worker == nil {
		w, err := r.sandbox.Worker()
		if err != nil {
			return "", exit{status: -1, failed: "cannot run: " + err.Error()}
		}
		place.worker = w
	}
	if temp = r.sandbox.Temp; temp == "" {
		temp = filepath.Join(r.space.scratch(), place.temp())
		if err := place.empty(r.sandbox.Root); err != nil {
			return temp, exit{status: -1, failed: "cannot start: empty the temporary directory: " + err.Error()}
		}
	}
	env := r.environment(u)
	e, lost := call{
		argv:    expand(u.Action, u.given, p.dir),
		dir:     p.dir,
		env:     append(env, "TMPDIR="+temp),
		timeout: u.Timeout,
		level:   r.sandbox.Level,
		find:    func(name string) (string, error) { return findProgram(name, p.program, variable(env, "PATH")) },
	}.run(ctx, place.worker)
	if lost {
		_ = place.worker.Close() // it has ended
		place.worker = nil
	}
	return temp, e
}

// environment returns the environment of a unit's command.
func (r *runner) environment(u *unit) []string {
	if len(u.Action.Env) == 0 {
		return slices.Clip(r.env)
	}
	return environment(r.Environ, slices.Concat(r.Pass, u.Action.Env), r.Cache)
}

// collect reads the files that a unit holds, and reverts its changes if it failed.
func (p *pass) collect(u *unit, t *trial, replaced func(name string) bool) {
	for _, name := range u.held {
		before := p.files[name].now
		after, err := p.read(name, before.Content)
		if err != nil {
			t.failed = cmp.Or(t.failed, err.Error())
			after = File{Path: name}
		}
		if err == nil && before.Executable && !after.Executable && replaced(name) && p.root.Chmod(name, permissions(true)) == nil {
			after.Executable = true
			if !bytes.Equal(after.Content, before.Content) {
				t.kept = append(t.kept, name)
			}
		}
		if !after.same(before) {
			t.changes = append(t.changes, change{before, after})
			p.growth.Add(-max(0, int64(len(after.Content)-len(before.Content))))
		}
	}
	t.undone = !t.succeeded()
	for _, c := range t.changes {
		if !t.undone {
			p.files[c.before.Path].now = c.after
		} else if err := p.restore(c.before); err != nil {
			t.failed = "its changes cannot be reverted: " + err.Error()
		}
	}
}

// maxWatched is the number of files that are held open while a command runs.
const maxWatched = 256

// watch returns whether a command has put another file in the place of an executable one. Such a
// program, which writes a new file and renames it, does not mean to change the mode; one that
// means to changes the file itself. The old files are held open, so that no new one gets their
// identity.
func (p *pass) watch(names []string) (replaced func(name string) bool, release func()) {
	var open []*os.File
	before := map[string]fs.FileInfo{}
	for _, name := range names {
		if !p.files[name].now.Executable {
			continue
		}
		if info, err := p.root.Lstat(name); err == nil && info.Mode().IsRegular() {
			before[name] = info
		}
		if len(open) == maxWatched {
			continue
		}
		if file, err := p.root.OpenFile(name, os.O_RDONLY|noWait, 0); err == nil {
			open = append(open, file)
		}
	}
	replaced = func(name string) bool {
		now, err := p.root.Lstat(name)
		return err == nil && before[name] != nil && !os.SameFile(before[name], now)
	}
	return replaced, func() {
		for _, file := range open {
			_ = file.Close() // it was only opened
		}
	}
}

// verify checks that the files are as the last successful unit left them. Otherwise
// another unit wrote to them, or one wrote after its end, and the changes cannot be
// attributed.
func (p *pass) verify(units []*unit) {
	foreign := map[string]bool{}
	for name, f := range p.files {
		if now, err := p.read(name, f.now.Content); err != nil || !now.same(f.now) {
			foreign[name] = true
		}
	}
	if len(foreign) == 0 {
		return
	}
	for i, u := range units {
		t := &p.trials[i]
		if !t.succeeded() {
			continue
		}
		for _, name := range u.held {
			if foreign[name] {
				t.failed = fmt.Sprintf("its changes cannot be attributed: %q was written by a command that was not given it, or that had already ended", name)
				break
			}
		}
	}
}

// notices returns notices about files and programs that were removed with the copy.
func (p *pass) notices() []string {
	var notices []string
	if len(p.news) > 0 {
		notices = append(notices, "commands created files, which are not kept: "+list(p.news))
	}
	if len(p.kept) > 0 {
		notices = append(notices, "commands replaced executable files by files that are not executable; they stay executable: "+list(p.kept))
	}
	if len(p.killed) > 0 {
		notices = append(notices, "commands left programs running, which were killed: "+list(p.killed))
	}
	return notices
}
