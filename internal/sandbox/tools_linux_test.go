package sandbox_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// TestTools does in the sandbox what formatters and linters do.
func TestTools(t *testing.T) {
	type tool struct{ needs, script, want string }
	common := []tool{
		{"chmod", "chmod 750 f && stat -c %a f", "750\n"},
		{"chmod", "chmod +x f && mkdir e && chmod 700 e && cd e && chmod u-w . && stat -c %a ../f .", "755\n500\n"},
		{"sed", "chmod 755 f; sed -i s/x/y/ f && cat f && stat -c %a f", "y\n755\n"},
		{"install", "install -m 754 f g && stat -c %a g", "754\n"},
		{"cp", "cp -a f g && chmod 600 g && touch g && ln -s f l && mkfifo p && rm p l g && ls", "f\n"},
		{"tar", "tar cf a.tar f && rm f && tar xf a.tar && cat f", "x\n"},
		{"git", "git init -q . && git add f && git -c user.name=a -c user.email=a@b commit -qm x && git log --format=%s", "x\n"},
		{"mktemp", `cd "$(mktemp -d -p .)" && echo made`, "made\n"},
		{"python3", "python3 -c 'import os; os.fchmod(os.open(\"f\", os.O_RDONLY), 0o751); print(oct(os.stat(\"f\").st_mode))'", "0o100751\n"},
		{"python3", `python3 -c '
import socket
s = socket.socket(socket.AF_UNIX); s.bind("sock"); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect("sock"); a, _ = s.accept(); c.send(b"x"); print(a.recv(1))
a, b = socket.socketpair(); a.send(b"y"); print(b.recv(1))'`, "b'x'\nb'y'\n"},
		{"python3", `TMPDIR=$PWD python3 -c '
import multiprocessing as m
if __name__ == "__main__":
    with m.Manager() as manager:
        l = manager.list([1]); l.append(2); print(list(l))'`, "[1, 2]\n"},
		{"python3", `python3 -c '
import os, socket, threading
s = socket.socket(socket.AF_UNIX); s.bind("sock"); s.listen()
def f():
    os.chmod("f", 0o640); c = socket.socket(socket.AF_UNIX); c.connect("sock"); c.send(b"x")
t = threading.Thread(target=f); t.start(); a, _ = s.accept(); print(a.recv(1)); t.join(); print(oct(os.stat("f").st_mode))'`, "b'x'\n0o100640\n"},
		// The supervisor has to collect its garbage while it waits for the program.
		{"python3", `python3 -c '
import socket
for i in range(5000):
    s = socket.socket(socket.AF_UNIX)
    s.connect_ex("missing" + "x" * 80); s.close()
print("refused")'`, "refused\n"},
		{"nice", "nice -n 5 true && ulimit -n 100 && echo limited", "limited\n"},
		{"script", "echo | wc -l; exec 3<>/dev/null; echo x >/dev/null", "1\n"},
	}
	separate := []tool{
		{"python3", `python3 -c '
import multiprocessing as m
if __name__ == "__main__":
    m.set_start_method("forkserver")
    with m.Pool(2) as p: print(p.map(abs, [-1, -2]))'`, "[1, 2]\n"},
		{"python3", `python3 -c '
import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
c = socket.create_connection(s.getsockname()); print("connected")'`, "connected\n"},
		{"script", "script -qc 'test -t 1 && echo terminal' /dev/null", "terminal\r\n"},
		{"sh", "(echo x >/tmp/x) 2>/dev/null || echo x >$TMPDIR/x && echo written", "written\n"},
	}
	for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.Namespaces} {
		tools := common
		if level == sandbox.Namespaces {
			tools = append(tools, separate...)
		}
		for i, tool := range tools {
			t.Run(fmt.Sprint(level, i, tool.needs), func(t *testing.T) {
				if _, err := exec.LookPath(tool.needs); err != nil {
					t.Skip(err)
				}
				scratch := t.TempDir()
				s, w := open(t, sandbox.Config{Strongest: level, Scratch: scratch, Memory: true})
				if s.Level != level {
					t.Skip(s.Reason)
				}
				if err := s.Root.WriteFile("d/f", []byte("x\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				temp := s.Temp
				if temp == "" {
					temp = scratch + "/d"
				}
				if got, e := run(t, w, scratch+"/d", "export TMPDIR="+temp+" HOME="+scratch+"/d; "+tool.script); got != tool.want {
					t.Errorf("status %d, printed %q; want %q", e.Status.ExitStatus(), got, tool.want)
				}
			})
		}
	}
}
