package agentlog

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

// TestOneReaderClaims wants each row of the samples to be claimed by one reader only, whatever the order of the table:
// by that of the sample, or, of a sample of several readers, by any one.
func TestOneReaderClaims(t *testing.T) {
	// Of these, the order of the table decides: rows of Qwen Code look like those of Claude Code, with more members.
	or := map[string]string{"qwen": "claude"}
	err := filepath.WalkDir("testdata", func(name string, entry fs.DirEntry, err error) error {
		parts := strings.Split(filepath.ToSlash(name), "/")
		if err != nil || entry.IsDir() || len(parts) < 4 || entry.Name() == "expected.json" || !slices.Contains(Readers(), parts[1]) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		document := record.ReadFirst(text)
		document.Document = true
		for _, claiming := range append(claimedRows(text), claimants(document)) {
			if len(claiming) > 1 && or[claiming[0]] != claiming[1] {
				t.Errorf("%s: %q claim a row; want one", name, claiming)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// claimants returns the names of the readers that claim a row.
func claimants(first record.First) (names []string) {
	for _, r := range readers {
		if !first.List && r.Claims(first) {
			names = append(names, r.Name())
		}
	}
	return names
}

func claimedRows(text []byte) (of [][]string) {
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if row := bytes.TrimSpace(s.Bytes()); len(row) > 0 && row[0] == '{' {
			of = append(of, claimants(record.ReadFirst(row)))
		}
	}
	return of
}
