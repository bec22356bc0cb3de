package diff

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"strings"
)

// readableHook is how much of a hook is read; a script is far shorter.
const readableHook = 1 << 20 // bytes

// Hook is the text of the hook that git runs under this name; nil where it runs
// none. Of a very long one it is the beginning.
func (p *Program) Hook(ctx context.Context, name string) ([]byte, error) {
	out, err := p.repo.Run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks/"+name)
	if err != nil {
		return nil, err
	}
	return readHook(strings.TrimSuffix(string(out), "\n"))
}

// readHook reads a hook that git would run: a file that may be executed. Git on
// Windows asks for no permission.
func readHook(file string) ([]byte, error) {
	f, err := os.Open(file)
	if absentFile(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, readableHook))
}

// CommentMark is what begins a comment in a commit's message while it is edited,
// as configured: "#" unless it is another, "auto" where git chooses one each time.
func (p *Program) CommentMark(ctx context.Context) (string, error) {
	out, err := p.repo.Run(ctx, "config", "-z", "--get-regexp", `^core\.comment(char|string)$`)
	if err != nil && !exited(err, 1) { // 1: nothing is configured
		return "", err
	}
	mark := ""
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if _, value, valued := strings.Cut(string(entry), "\n"); valued {
			mark = value
		}
	}
	return commentMark(mark), nil
}

func commentMark(configured string) string {
	if configured == "" {
		return "#"
	}
	return configured
}
