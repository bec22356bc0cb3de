package commands

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// pass is one run of units in one copy.
type pass struct {
	*scratch
	files  map[string]*track // those that jobs name
	trials []trial           // by unit; zero where it did not run
	left   []string          // programs that went on running and were ended
	news   []string          // names that were not there before
}

// track is a file on its way through a pass. Only the unit that holds it looks.
type track struct{ start, now File }

func (t *track) moved() bool { return !t.now.same(t.start) }

// trial is what a unit did in a pass.
type trial struct {
	ended
	ran     bool
	undone  bool // what it changed was put back
	argv    []string
	changes []change
	took    time.Duration
}

// change is a file that a unit left other than it found it.
type change struct{ before, after File }

func (t *trial) good() bool { return t.ran && t.failed == "" && t.exit == 0 }

func (t *trial) names() []string {
	names := make([]string, len(t.changes))
	for i, c := range t.changes {
		names[i] = c.before.Path
	}
	return names
}

// pass runs the wanted units in a copy of its own, laid out by l.
func (r *runner) pass(ctx context.Context, name string, l *layout, wanted func(int) bool) (*pass, error) {
	// Some programs take their project's name from its directory.
	top := filepath.Join(r.base, name, "repository")
	if r.Tree.Root != "" && filepath.Dir(r.Tree.Root) != r.Tree.Root {
		top = filepath.Join(r.base, name, filepath.Base(r.Tree.Root))
	}
	s, err := l.lay(top, r.Tree.Root)
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
	p.left = sweep(r.mark())
	p.verify(r.units)
	p.news = s.created()
	return p, nil
}

// try runs one unit and takes what it made of its files, or puts them back where
// it failed, so that the next unit finds what the last good one left.
func (r *runner) try(ctx context.Context, p *pass, name string, i int) {
	u, t := r.units[i], &p.trials[i]
	t.argv = expand(u.Action, u.given, ".")
	env := r.environment(u)
	argv := expand(u.Action, u.given, p.dir)
	temp := <-r.temps
	defer func() { r.temps <- emptied(temp) }()
	r.tell(i, t.argv, name == proof, false)
	defer r.tell(i, t.argv, name == proof, true)
	began := r.Now()
	t.ended = call{
		argv:    argv,
		dir:     p.dir,
		env:     append(env, "TMPDIR="+temp),
		mark:    "TMPDIR=" + temp + "\x00",
		timeout: u.Timeout,
		guard:   r.guard,
	}.run(ctx)
	t.took = r.Now().Sub(began)
	t.ran = true
	p.take(u, t)
	plain := strings.NewReplacer(temp, "$TMPDIR", p.dir+"/", "", p.dir, ".")
	t.stdout, t.stderr = []byte(plain.Replace(string(t.stdout))), []byte(plain.Replace(string(t.stderr)))
	t.failed = plain.Replace(t.failed)
}

// emptied has a command's temporary directory ready for the next one.
func emptied(temp string) string {
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		// Where this fails the next command says what it lacks.
		_ = os.RemoveAll(temp)
		_ = os.Mkdir(temp, 0o700)
	}
	return temp
}

// environment is what all commands see and what this one sees besides.
func (r *runner) environment(u *unit) []string {
	if len(u.Action.Env) == 0 {
		return slices.Clip(r.env)
	}
	return environment(r.Environ, slices.Concat(r.Pass, u.Action.Env), r.Cache)
}

// take reads what a unit made of the files it holds.
func (p *pass) take(u *unit, t *trial) {
	for _, name := range u.held {
		before := p.files[name].now
		after, err := p.read(name)
		if err != nil {
			t.failed = cmp.Or(t.failed, err.Error())
			after = File{Path: name}
		}
		if !after.same(before) {
			t.changes = append(t.changes, change{before, after})
		}
	}
	t.undone = !t.good()
	for _, c := range t.changes {
		if !t.undone {
			p.files[c.before.Path].now = c.after
		} else if err := p.restore(c.before); err != nil {
			t.failed = "left its files such that they cannot be put back: " + err.Error()
		}
	}
}

// verify looks whether the files are still what the last good unit left. Else
// something wrote to them that was not given them, or too late, and nobody can
// say what of them is whose.
func (p *pass) verify(units []*unit) {
	foreign := map[string]bool{}
	for name, f := range p.files {
		if now, err := p.read(name); err != nil || !now.same(f.now) {
			foreign[name] = true
		}
	}
	if len(foreign) == 0 {
		return
	}
	for i, u := range units {
		t := &p.trials[i]
		if !t.good() {
			continue
		}
		for _, name := range u.held {
			if foreign[name] {
				t.failed = fmt.Sprintf("cannot be told from others: %q was written by a command that was not given it, or that had already ended", name)
				break
			}
		}
	}
}

// notices are what was left behind, which is gone with the copy.
func (p *pass) notices() []string {
	var notices []string
	if len(p.news) > 0 {
		notices = append(notices, "commands made files that are not kept: "+list(p.news))
	}
	if len(p.left) > 0 {
		notices = append(notices, "commands left programs running, which were ended: "+list(p.left))
	}
	return notices
}
