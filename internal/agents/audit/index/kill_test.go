package index_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/audit/index"
)

// dirKey is the variable with the directory that [TestWriter] writes to.
const dirKey = "RULECHECK_TEST_INDEX"

// TestWriter runs as another process, which writes until it is killed.
func TestWriter(t *testing.T) {
	s := index.Store{Dir: os.Getenv(dirKey)}
	if s.Dir == "" {
		t.Skip("started by other tests only")
	}
	for i := 0; ; i++ {
		if err := s.Put(index.Digest{}, index.Digest{}, strings.Repeat(string(rune('a'+i%26)), 1<<20)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			fmt.Println("began")
		}
	}
}

// TestKilled kills writers: the next process finds a whole result, can replace it, and
// removes what the writer left.
func TestKilled(t *testing.T) {
	s := index.Store{Dir: t.TempDir() + "/audit"}
	for n := range 6 {
		writer := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWriter$")
		writer.Env = append(os.Environ(), dirKey+"="+s.Dir)
		out, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "began\n" {
			t.Fatal(line, err)
		}
		time.Sleep(time.Duration(n) * 1700 * time.Microsecond)
		if err := writer.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = writer.Wait() // it was killed
		got := ""
		if !s.Get(index.Digest{}, index.Digest{}, &got) || len(got) != 1<<20 || strings.Trim(got, got[:1]) != "" {
			t.Errorf("a result of %d bytes is not whole", len(got))
		}
	}
	if err := s.Put(index.Digest{}, index.Digest{1}, "next"); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(s.Dir); err != nil || len(entries) != 2 { // the result and the lock
		t.Errorf("got %v, %v", entries, err)
	}
}
