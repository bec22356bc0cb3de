package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLaws checks that the tests in the table of scripts/laws.sh exist: go test passes where
// it finds none.
func TestLaws(t *testing.T) {
	script, err := os.ReadFile("../scripts/laws.sh")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^[a-z]+ *\|.*\|.*\|(.*)\|(.*)$`).FindAllStringSubmatch(string(script), -1)
	if len(rows) < 20 {
		t.Fatalf("found %d laws; want the whole table", len(rows))
	}
	for _, row := range rows {
		var source strings.Builder
		for dir := range strings.FieldsSeq(row[1]) {
			files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Errorf("%s has no tests: %v", dir, err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				source.Write(text)
			}
		}
		for name := range strings.FieldsSeq(row[2]) {
			if !strings.Contains(source.String(), "func "+name+"(t *testing.T)") {
				t.Errorf("%s has no test %s; want the row of scripts/laws.sh as the tests are", row[1], name)
			}
		}
	}
}
