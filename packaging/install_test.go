package packaging_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const archive = "rulecheck_1.2.0_linux_amd64.tar.gz"

// TestInstall runs install.sh with every shell and downloader against a server on this machine.
func TestInstall(t *testing.T) {
	content := archived(t)
	sum := sha256.Sum256(content)
	line := hex.EncodeToString(sum[:]) + "  " + archive + "\n"
	const nothing = "nothing is installed"
	for _, test := range []struct {
		name      string
		args      []string
		without   []string          // programs that are not in PATH
		programs  map[string]string // scripts in PATH
		checksums string
		archive   []byte
		cut       bool // the connection ends within the archive
		want      string
		requests  string
		installed bool
	}{
		{name: "latest", want: `installed rulecheck v1\.2\.0 in .*/bin\n.* is not in PATH; add it`, requests: "/latest/download/checksums.txt /latest/download/" + archive, installed: true},
		{name: "version", args: []string{"1.2.0"}, requests: "/download/v1.2.0/checksums.txt /download/v1.2.0/" + archive, installed: true},
		{name: "tag", args: []string{"v1.2.0"}, requests: "/download/v1.2.0/checksums.txt /download/v1.2.0/" + archive, installed: true},
		{name: "shasum", without: []string{"sha256sum"}, programs: map[string]string{"shasum": "shift 2; exec openssl dgst -r -sha256 \"$@\""}, installed: true},
		{name: "openssl", without: []string{"sha256sum"}, installed: true},
		{name: "no program for hashes", without: []string{"sha256sum", "openssl"}, want: `no sha256sum, shasum or openssl`},
		{name: "tampered archive", archive: append(slices.Clone(content), 'x'), want: `the sha256 of ` + archive + ` is [0-9a-f]{64}, and checksums\.txt has [0-9a-f]{64}, so ` + nothing},
		{name: "tampered checksum", checksums: strings.Repeat("0", 64) + "  " + archive + "\n", want: nothing},
		{name: "no checksum", checksums: strings.ReplaceAll(line, "amd64", "arm64"), want: `no checksum of an archive for linux_amd64, so ` + nothing},
		{name: "empty checksums", checksums: "\n", want: `no checksum of an archive`},
		{name: "page instead of checksums", checksums: "<html>" + archive + "</html>\n", want: `no checksum of an archive`},
		{name: "two archives", checksums: line + strings.ReplaceAll(line, "1.2.0", "1.3.0"), want: `several archives for linux_amd64`},
		{name: "archive of another directory", checksums: strings.ReplaceAll(line, "rulecheck_1.2.0", "../rulecheck_1.2.0"), want: `no checksum of an archive`},
		{name: "interrupted download", cut: true, want: `cannot download http.*/latest/download/` + archive + `; see the message above, and try again`},
		{name: "no release", args: []string{"v9.9.9"}, want: `cannot download http.*/download/v9\.9\.9/checksums\.txt`},
		{name: "no downloader", without: []string{"curl", "wget"}, want: `neither curl nor wget in PATH; install one`},
		{name: "unknown system", programs: map[string]string{"uname": "echo Plan9"}, want: `no archive for the system "Plan9"; build it with Go: go install`},
		{name: "unknown processor", programs: map[string]string{"uname": "[ $1 = -m ] && echo riscv64 || echo Linux"}, want: `no archive for the processor "riscv64"; build it with Go`},
		{name: "Windows", programs: map[string]string{"uname": "echo MINGW64_NT"}, want: `install the package for npm or pip`},
		{name: "no archive for this Mac", programs: map[string]string{"uname": "[ $1 = -m ] && echo arm64 || echo Darwin"}, want: `for darwin_arm64`},
		{name: "bad version", args: []string{"latest"}, want: `bad version "latest"; want one such as v1\.2\.0`},
		{name: "two versions", args: []string{"1.2.0", "1.3.0"}, want: `too many arguments`},
		{name: "valid attestation", programs: map[string]string{"gh": `echo "gh $*" >&2`}, want: `gh attestation verify .*/` + archive + ` --repo OWNER/rulecheck`, installed: true},
		{name: "invalid attestation", programs: map[string]string{"gh": `[ "$2" != verify ]`}, want: `the attestation of ` + archive + ` is not valid, so ` + nothing},
		{name: "gh without login", programs: map[string]string{"gh": `[ "$1" != auth ]`}, want: `not verified: gh is not logged in`, installed: true},
		{name: "old gh", programs: map[string]string{"gh": `exit 1`}, want: `not verified: there is no GitHub CLI`, installed: true},
		{name: "no gh", want: `not verified: there is no GitHub CLI`, installed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			served := map[string][]byte{"checksums.txt": []byte(line), archive: content}
			if test.checksums != "" {
				served["checksums.txt"] = []byte(test.checksums)
			}
			if test.archive != nil {
				served[archive] = test.archive
			}
			everywhere(t, test.without, func(t *testing.T, shell, path string) {
				t.Helper()
				for name, text := range test.programs {
					script(t, filepath.Join(path, name), text)
				}
				requests, url := serve(t, served, test.cut)
				prefix := filepath.Join(t.TempDir(), "new folder")
				cmd := exec.CommandContext(t.Context(), shell, append([]string{filepath.Join("..", "install.sh")}, test.args...)...)
				cmd.Env = []string{"PATH=" + path, "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "RULECHECK_PREFIX=" + prefix, "RULECHECK_RELEASES=" + url}
				out, err := cmd.CombinedOutput()
				if (err == nil) != test.installed || !regexp.MustCompile(test.want).Match(out) {
					t.Fatalf("%v, want success %v and %q:\n%s", err, test.installed, test.want, out)
				}
				if test.requests != "" && strings.Join(*requests, " ") != test.requests {
					t.Errorf("requests %q; want %q", *requests, test.requests)
				}
				holds(t, prefix, test.installed)
				if left, err := os.ReadDir(env(cmd.Env, "TMPDIR")); err != nil || len(left) > 0 {
					t.Errorf("left behind: %v, %v", left, err)
				}
			})
		})
	}
}

// TestInstallIsWhole cuts install.sh after each line: nothing runs before the last.
func TestInstallIsWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	everywhere(t, nil, func(t *testing.T, shell, path string) {
		t.Helper()
		home := t.TempDir()
		for i := range len(lines) - 2 {
			file := filepath.Join(t.TempDir(), "cut.sh")
			if err := os.WriteFile(file, []byte(strings.Join(lines[:i], "")), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), shell, file)
			cmd.Env = []string{"PATH=" + path, "HOME=" + home, "RULECHECK_RELEASES=http://127.0.0.1:1"}
			if out, _ := cmd.CombinedOutput(); bytes.Contains(out, []byte("download")) {
				t.Errorf("cut after line %d, it begins: %s", i, out)
			}
		}
		holds(t, home, false)
	})
}

// everywhere calls f for the shells and downloaders of this machine, with a directory for PATH
// that has only one downloader and what the script needs.
func everywhere(t *testing.T, without []string, f func(t *testing.T, shell, path string)) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for Linux and macOS")
	}
	for _, way := range [][]string{{"sh", "curl"}, {"dash", "wget"}, {"bash", "curl"}, {"busybox", "wget"}} {
		shell, err := exec.LookPath(way[0])
		downloader, err2 := exec.LookPath(way[1])
		if err != nil || err2 != nil {
			continue
		}
		t.Run(strings.Join(way, " "), func(t *testing.T) {
			path := t.TempDir()
			if way[0] == "busybox" {
				script(t, filepath.Join(path, "ash"), `exec `+shell+` ash "$@"`)
				shell = filepath.Join(path, "ash")
			}
			needed := []string{"sh", "mktemp", "rm", "mkdir", "cp", "chmod", "mv", "grep", "cut", "tar", "gzip", "sha256sum", "openssl", "cat", filepath.Base(downloader)}
			for _, name := range needed {
				if file, err := exec.LookPath(name); err == nil && !slices.Contains(without, name) {
					if err := os.Symlink(file, filepath.Join(path, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			script(t, filepath.Join(path, "uname"), `[ $1 = -m ] && echo x86_64 || echo Linux`)
			f(t, shell, path)
		})
	}
}

// serve serves files as a release does, and returns the paths that are requested and its URL.
func serve(t *testing.T, files map[string][]byte, cut bool) (requests *[]string, url string) {
	t.Helper()
	requests = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requests = append(*requests, r.URL.Path)
		dir, name := filepath.Split(r.URL.Path)
		content, ok := files[name]
		if !ok || dir != "/latest/download/" && dir != "/download/v1.2.0/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		if cut && name == archive {
			_, _ = w.Write(content[:len(content)/2])
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return requests, server.URL
}

// archived returns an archive as build.sh writes it, with a script as the program.
func archived(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, name := range []string{"rulecheck", "LICENSE", "completions/rulecheck.bash", "completions/_rulecheck", "completions/rulecheck.fish", "man/rulecheck.1"} {
		text := "#!/bin/sh\necho rulecheck v1.2.0\n"
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// holds checks that the prefix has all files or none.
func holds(t *testing.T, prefix string, installed bool) {
	t.Helper()
	var got []string
	_ = filepath.WalkDir(prefix, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(prefix, path)
			got = append(got, name)
		}
		return nil // nothing is there
	})
	var want []string
	if installed {
		want = []string{
			"bin/rulecheck", "share/bash-completion/completions/rulecheck", "share/fish/vendor_completions.d/rulecheck.fish",
			"share/man/man1/rulecheck.1", "share/zsh/site-functions/_rulecheck",
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("installed %q; want %q", got, want)
	}
}

func script(t *testing.T, file, text string) {
	t.Helper()
	_ = os.Remove(file) // a link to a program of this machine
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func env(environ []string, key string) string {
	for _, kv := range environ {
		if value, ok := strings.CutPrefix(kv, key+"="); ok {
			return value
		}
	}
	return ""
}
