package bash

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// wrapper is a program that runs the command in its operands.
type wrapper struct {
	Names    []string
	Options  options // before the command
	Skip     int     // operands before the command
	Assigns  bool    // NAME=value before the command sets its environment
	Dir      string  // the option that sets the command's directory
	Text     string  // options whose value is shell text, separated by blanks
	Joined   bool    // the operands are joined to shell text
	Sub      string  // the command follows this subcommand
	Optional bool    // without a subcommand or operands it runs nothing of the line
	Out      string  // options whose value is a file that the wrapper writes
	Remote   string  // why the command may act elsewhere: it is read, and opaque
}

// Wrappers lists the programs that run other programs, with what comes before the
// command. Shells, xargs, find and git have separate readers.
var wrappers = []wrapper{
	{Names: []string{"sudo"}, Assigns: true, Dir: "chdir", Options: options{Values: "CcDghpRrTtUu", Long: []string{"chdir= D", "user= u", "group= g", "host= h", "prompt= p", "role= r", "type= t", "chroot= R", "close-from= C", "other-user= U", "command-timeout= T"}}},
	{Names: []string{"doas"}, Options: options{Values: "aCu"}},
	{Names: []string{"env"}, Assigns: true, Dir: "chdir", Text: "split-string", Options: options{Values: "uCS", Long: []string{"unset= u", "chdir= C", "split-string= S", "ignore-environment i", "null 0", "debug v", "block-signal?", "default-signal?", "ignore-signal?"}}},
	{Names: []string{"nohup", "setsid", "chronic", "unbuffer", "ifne", "eatmydata", "torsocks", "catchsegv", "setarch", "linux32", "linux64", "fakeroot", "dbus-run-session", "dbus-launch", "winpty", "rlwrap", "busybox", "toybox"}, Options: options{Values: "l", Long: []string{"lib="}}},
	{Names: []string{"caffeinate", "proxychains", "proxychains4", "pkexec", "ssh-agent"}, Options: options{Values: "tuwfaEP", Long: []string{"user="}}},
	{Names: []string{"systemd-inhibit"}, Options: options{Long: []string{"what=", "who=", "why=", "mode="}}},
	{Names: []string{"faketime"}, Skip: 1, Options: options{}},
	{Names: []string{"nice"}, Options: options{Values: "n", Long: []string{"adjustment= n"}}},
	{Names: []string{"ionice"}, Options: options{Values: "cnpPu", Long: []string{"class= c", "classdata= n"}}},
	{Names: []string{"timeout", "gtimeout"}, Skip: 1, Options: options{Values: "ks", Long: []string{"kill-after= k", "signal= s", "preserve-status", "foreground", "verbose v"}}},
	{Names: []string{"time", "gtime"}, Out: "output", Options: options{Values: "fo", Long: []string{"format= f", "output= o"}}},
	{Names: []string{"stdbuf"}, Options: options{Values: "ioe", Long: []string{"input= i", "output= o", "error= e"}}},
	{Names: []string{"chrt"}, Skip: 1, Options: options{Values: "TPD", Long: []string{"sched-runtime= T", "sched-period= P", "sched-deadline= D"}}},
	{Names: []string{"taskset"}, Skip: 1, Options: options{}},
	{Names: []string{"flock"}, Skip: 1, Text: "command", Options: options{Values: "wEc", Long: []string{"timeout= w", "wait= w", "conflict-exit-code= E", "command= c"}}},
	{Names: []string{"numactl"}, Options: options{Values: "CNmipl", Long: []string{"cpunodebind= N", "physcpubind= C", "membind= m", "interleave= i", "preferred= p"}}},
	{Names: []string{"prlimit"}, Options: options{Values: "op"}},
	{Names: []string{"cpulimit"}, Options: options{Values: "lpe", Long: []string{"limit= l"}}},
	{Names: []string{"setpriv"}, Options: options{Long: []string{"reuid=", "regid=", "groups=", "inh-caps=", "ambient-caps=", "bounding-set=", "securebits=", "pdeathsig=", "selinux-label=", "apparmor-profile="}}},
	{Names: []string{"unshare", "nsenter"}, Text: "", Options: options{Values: "SGRwt", Attached: "mUipunCT", Long: []string{"setuid= S", "setgid= G", "root= R", "wd= w", "target= t", "propagation=", "map-user=", "map-group=", "setgroups="}}},
	{Names: []string{"capsh"}, Options: options{}, Text: ""},
	{Names: []string{"chroot"}, Skip: 1, Remote: "chroot runs in another tree", Options: options{Long: []string{"userspec=", "groups=", "skip-chdir"}}},
	{Names: []string{"runuser", "su"}, Text: "command session-command", Optional: true, Options: options{Values: "cCsugGw", Long: []string{"command= c", "session-command= C", "shell= s", "user= u", "group= g", "login l", "whitelist-environment= w"}}},
	{Names: []string{"gosu", "su-exec", "setuidgid"}, Skip: 1, Options: options{}},
	{Names: []string{"sg"}, Skip: 1, Joined: true, Text: "c", Options: options{Values: "c"}},
	{Names: []string{"script"}, Text: "command", Optional: true, Options: options{Values: "cEITOBmot", Long: []string{"command= c", "log-out= O", "log-in= I", "log-io= B", "log-timing= T", "echo= E"}}},
	{Names: []string{"watch"}, Joined: true, Options: options{Values: "nq", Attached: "d", Long: []string{"interval= n", "equexit= q", "differences? d", "exec x", "no-title t"}}},
	{Names: []string{"entr"}, Options: options{}},
	{Names: []string{"strace", "ltrace"}, Out: "o", Options: options{Values: "abeEIoOpPsSuUX"}},
	{Names: []string{"perf"}, Out: "output", Sub: "stat record trace", Options: options{Values: "eopCrFc", Long: []string{"event= e", "output= o"}}},
	{Names: []string{"valgrind", "heaptrack", "gdbserver", "dumb-init", "tini", "catatonit"}, Out: "log-file xml-file output", Options: options{Values: "o", Long: []string{"log-file=", "xml-file=", "output= o"}}},
	{Names: []string{"hyperfine"}, Out: "export-json export-csv export-markdown export-asciidoc export-orgmode output", Options: options{Values: "wmMrpcsSPDLuN", Long: []string{"warmup= w", "min-runs= m", "max-runs= M", "runs= r", "prepare= p", "cleanup= c", "setup= s", "shell= S", "export-json=", "export-csv=", "export-markdown=", "export-asciidoc=", "export-orgmode=", "output="}}, Text: "prepare cleanup setup"},
	{Names: []string{"xvfb-run"}, Out: "error-file", Options: options{Values: "efnpsw", Long: []string{"server-args= s", "server-num= n", "error-file= e"}}},
	{Names: []string{"firejail", "bwrap"}, Options: options{Values: "", Long: []string{"ro-bind=", "bind=", "dev=", "proc=", "tmpfs=", "chdir="}}, Remote: "the command runs in another view of the files"},
	{Names: []string{"systemd-run"}, Options: options{Values: "puGEHMt", Long: []string{"property= p", "unit= u", "uid=", "gid=", "working-directory=", "setenv= E", "description="}}, Dir: "working-directory"},
	{Names: []string{"tmux"}, Sub: "new-session new new-window neww split-window splitw respawn-pane respawn-window display-popup popup run-shell run if-shell", Joined: true, Options: options{Values: "scntFxye"}},
	{Names: []string{"screen"}, Options: options{Values: "cehpsStT"}},
	{Names: []string{"dtach", "abduco", "daemonize", "start-stop-daemon"}, Options: options{Values: "An"}},
	{Names: []string{"direnv"}, Sub: "exec", Skip: 1, Options: options{}},
	{Names: []string{"mise", "rtx"}, Sub: "exec x", Options: options{Values: "Cj", Long: []string{"command= c", "cd= C"}}, Text: "command"},
	{Names: []string{"asdf", "rbenv", "pyenv", "nodenv", "goenv", "jenv"}, Sub: "exec", Options: options{}},
	{Names: []string{"nix-shell"}, Text: "run command", Optional: true, Options: options{Values: "pIA", Long: []string{"run=", "command=", "packages= p", "attr= A"}}},
	{Names: []string{"nix"}, Sub: "run shell develop", Options: options{Values: "c", Long: []string{"command= c"}}, Optional: true},
	{Names: []string{"devbox", "doppler", "op", "infisical", "chamber", "teller", "dotenvx", "flox"}, Sub: "run exec", Options: options{Values: "epf", Long: []string{"env= e", "project= p", "env-file= f", "config="}}},
	{Names: []string{"dotenv"}, Sub: "", Options: options{Values: "ef"}},
	{Names: []string{"aws-vault"}, Sub: "exec", Skip: 1, Options: options{Values: "d"}},
	{Names: []string{"uv", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi"}, Sub: "run", Options: options{Values: "pC", Long: []string{"with=", "python= p", "extra=", "group=", "project=", "directory=", "env-file=", "package=", "only-group=", "with-editable=", "with-requirements=", "index=", "index-url=", "active"}}, Dir: "directory"},
	{Names: []string{"conda", "mamba", "micromamba"}, Sub: "run", Options: options{Values: "np", Long: []string{"name= n", "prefix= p", "cwd="}}, Dir: "cwd"},
	{Names: []string{"bundle"}, Sub: "exec", Options: options{}},
	{Names: []string{"rustup"}, Sub: "run", Skip: 1, Options: options{}},
	{Names: []string{"cargo"}, Sub: "", Options: options{}, Optional: true},
	{Names: []string{"npx", "bunx", "pnpx"}, Text: "call", Options: options{Values: "pcw", Long: []string{"package= p", "call= c", "workspace= w", "yes y", "no", "quiet q"}}},
	{Names: []string{"npm"}, Sub: "exec x", Text: "call", Options: options{Values: "pcw", Long: []string{"package= p", "call= c", "workspace= w", "prefix=", "yes y"}}},
	{Names: []string{"pnpm"}, Sub: "exec dlx", Options: options{Values: "CF", Long: []string{"dir= C", "filter= F", "package=", "shell-mode c"}}, Dir: "dir"},
	{Names: []string{"yarn"}, Sub: "exec dlx", Options: options{Values: "p", Long: []string{"cwd=", "package= p"}}, Dir: "cwd"},
	{Names: []string{"bun"}, Sub: "x", Options: options{}},
	{Names: []string{"corepack"}, Options: options{Long: []string{"install-directory="}}},
	{Names: []string{"wsl"}, Options: options{Values: "deu", Long: []string{"distribution=", "user=", "exec", "cd="}}, Dir: "cd"},
	{Names: []string{"ssh"}, Skip: 1, Joined: true, Optional: true, Options: options{Values: "BbcDEeFIiJLlmOopQRSWw"}},
	{Names: []string{"docker", "podman", "nerdctl"}, Sub: "exec", Skip: 1, Options: options{Values: "euw", Long: []string{"env= e", "user= u", "workdir= w", "env-file=", "detach-keys="}}},
	{Names: []string{"docker", "podman", "nerdctl"}, Sub: "run", Skip: 1, Remote: "the command runs in a container, which may see the files", Options: options{Values: "acehlmpuvw", Long: []string{"env= e", "user= u", "workdir= w", "volume= v", "mount=", "name=", "network=", "entrypoint=", "publish= p", "env-file=", "platform=", "hostname= h", "memory= m", "cpus=", "label= l", "add-host=", "device=", "gpus=", "ipc=", "pid=", "cap-add=", "security-opt=", "tmpfs=", "ulimit=", "shm-size="}}},
	{Names: []string{"docker", "podman"}, Sub: "compose", Skip: 2, Optional: true, Options: options{Values: "fp", Long: []string{"file= f", "project-name= p", "env-file=", "profile="}}},
	{Names: []string{"docker-compose"}, Sub: "exec run", Skip: 1, Options: options{Values: "eufpw"}},
	{Names: []string{"kubectl", "oc"}, Sub: "exec debug", Skip: 1, Options: options{Values: "cnf", Long: []string{"container= c", "namespace= n", "context=", "image="}}},
	{Names: []string{"vagrant"}, Sub: "ssh", Text: "command", Options: options{Values: "c", Long: []string{"command= c"}}, Optional: true},
	{Names: []string{"at", "batch", "crontab", "systemctl-run"}, Optional: true, Options: options{Values: "fqt"}},
}

// wrapperOf returns the wrapper that a command is, with the words after its
// subcommand.
func wrapperOf(name string, words []string) (w wrapper, rest []string, ok bool) {
	for _, w := range wrappers {
		if !slices.Contains(w.Names, name) {
			continue
		}
		if w.Sub == "" {
			return w, words, true
		}
		opts := w.Options
		opts.First = true
		p := opts.parse(words)
		if p.rest < len(words) && slices.Contains(strings.Fields(w.Sub), words[p.rest]) {
			return w, slices.Concat(words[:p.rest], words[p.rest+1:]), true
		}
	}
	return wrapper{}, nil, false
}

// unwrap reads the command that a wrapper runs.
func (r *reader) unwrap(st *state, w wrapper, name string, words []string) {
	opts := w.Options
	opts.First = true
	p := opts.parse(words)
	st = st.through(name)
	if w.Sub != "" && w.Remote == "" || slices.Contains([]string{"npx", "bunx", "pnpx", "uvx"}, name) {
		sub := ""
		if fields := strings.Fields(w.Sub); len(fields) > 0 {
			sub = " " + fields[0]
		}
		st = st.with(func(c *state) { c.runner = strings.TrimSpace(c.runner + " " + name + sub) })
	}
	if dirs := p.values(w.Dir); len(dirs) > 0 {
		st = st.with(func(c *state) { c.dir = r.abs(st, dirs[len(dirs)-1]) })
	}
	for _, file := range p.values(strings.Fields(w.Out)...) {
		r.write(st, name, file, change{})
	}
	texts := p.values(strings.Fields(w.Text)...)
	if w.Optional { // su USER -c TEXT
		opts.First = false
		texts = opts.parse(words).values(strings.Fields(w.Text)...)
	}
	rest := words[min(p.rest, len(words)):]
	if name == "nix" {
		rest = words
	}
	if name == "cargo" && len(rest) > 0 && strings.HasPrefix(rest[0], "+") { // a toolchain
		rest = rest[1:]
	}
	if name == "env" {
		st = withoutEnv(st, p)
		if len(rest) > 0 && rest[0] == "-" {
			rest = rest[1:]
		}
		if text, after, ok := splitString(words); ok {
			r.shellText(st, text+" "+quoteAll(after), name)
			return
		}
	}
	for _, text := range texts {
		r.shellText(st, text, name)
	}
	if len(texts) == 0 && st.in == nil && startsShell(name, p, rest) {
		r.waits(name, "commands")
	}
	if name == "ssh" {
		for _, o := range p.values("o") {
			if key, text, ok := strings.Cut(o, "="); ok && strings.HasSuffix(strings.ToLower(key), "command") {
				r.shellText(st, text, name)
			}
		}
	}
	for w.Assigns && len(rest) > 0 && assigns(rest[0]) {
		st = st.export(rest[0], true)
		rest = rest[1:]
	}
	if i := slices.IndexFunc(rest, func(w string) bool { return w == "-c" || w == "--command" }); name == "nix" && i >= 0 {
		r.run(st, rest[i+1:])
		return
	}
	skip := w.Skip
	if name == "flock" && len(p.values("command")) > 0 {
		return
	}
	for ; skip > 0 && len(rest) > 0; skip-- {
		rest = rest[1:]
	}
	for len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if name == "flock" && len(rest) > 1 && (rest[0] == "-c" || rest[0] == "--command") {
		r.shellText(st, rest[1], name)
		return
	}
	if len(rest) == 0 {
		return
	}
	if name == "uv" && rest[0] == "-" {
		r.programFile(languages[0], "python", cmpInput(st.in))
		return
	}
	if w.Remote != "" && (!isContainer(name) || seesFiles(p)) {
		r.opaque(fact.OpaqueCommand, w.Remote, strings.Join(rest, " "))
	}
	switch {
	case w.Joined:
		r.shellText(st, strings.Join(rest, " "), name)
	case name == "hyperfine":
		for _, text := range rest {
			r.shellText(st, text, name)
		}
	default:
		r.run(st.with(func(c *state) { c.funcs, c.aliases = nil, nil }), rest)
	}
}

func isContainer(name string) bool {
	return slices.Contains([]string{"docker", "podman", "nerdctl"}, name)
}

// seesFiles reports whether a container may see files of the machine.
func seesFiles(p parsed) bool {
	return p.open || p.has("volume", "mount", "volumes-from", "privileged", "device", "pid", "cap-add", "security-opt")
}

// startsShell reports whether a wrapper that is given no command starts a shell.
func startsShell(name string, p parsed, rest []string) bool {
	switch name {
	case "su", "script": // an operand is a user, or a file
		return true
	case "sudo", "doas":
		return len(rest) == 0 && p.has("s", "i", "shell", "login")
	case "chroot":
		return len(rest) < 2
	case "runuser", "unshare", "nsenter", "screen", "tmux", "dtach", "abduco":
		return len(rest) == 0 || rest[0] == "-"
	}
	return false
}

// splitString returns the text of env -S and the words after it.
func splitString(words []string) (text string, after []string, ok bool) {
	for i, w := range words {
		if rest, long := strings.CutPrefix(w, "--split-string="); long {
			return rest, words[i+1:], true
		}
		if rest, short := strings.CutPrefix(w, "-S"); short && rest != "" {
			return rest, words[i+1:], true
		}
		if (w == "-S" || w == "--split-string" || w == "-vS" || w == "-iS") && i+1 < len(words) {
			return words[i+1], words[i+2:], true
		}
		if !strings.HasPrefix(w, "-") && !assigns(w) {
			break
		}
	}
	return "", nil, false
}

// assigns reports whether a word is NAME=value.
func assigns(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && name != "" && !strings.HasPrefix(name, "-") && !strings.ContainsAny(name, "/. ")
}

// withoutEnv removes the variables that env removes.
func withoutEnv(st *state, p parsed) *state {
	for _, name := range p.values("unset") {
		st = st.unset(name)
	}
	return st
}
