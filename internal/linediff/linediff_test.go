package linediff_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/linediff"
)

// TestCompareIsGits compares the hunks of random texts with those of git.
func TestCompareIsGits(t *testing.T) {
	for round := range lawtest.Cases(t, "DIFF_ROUNDS", 3) {
		before, after := map[string]string{}, map[string]string{}
		for i := range 200 {
			name, seed := fmt.Sprintf("%03d", i), round*200+i
			before[name], after[name] = pair(seed)
		}
		want := git(t, before, after)
		refused := 0
		for name := range before {
			hunks, ok := linediff.Compare([]byte(before[name]), []byte(after[name]))
			if !ok {
				refused++
				continue
			}
			got := ""
			var gotSb36 strings.Builder
			for _, h := range hunks {
				gotSb36.WriteString(header(h))
			}
			got += gotSb36.String()
			if d := cmp.Diff(want[name], got); d != "" {
				t.Errorf("want(-) got(+):\n%s\nbefore: %q\nafter:  %q", d, before[name], after[name])
			}
		}
		if refused > 10 {
			t.Errorf("%d of %d texts are too far apart; want few", refused, len(before))
		}
	}
}

// header formats a hunk as git does.
func header(h linediff.Hunk) string {
	span := func(start, count int) string {
		switch count {
		case 0:
			return fmt.Sprintf("%d,0", start)
		case 1:
			return strconv.Itoa(start + 1)
		}
		return fmt.Sprintf("%d,%d", start+1, count)
	}
	return "@@ -" + span(h.OldStart, h.Removed) + " +" + span(h.Start, h.Added) + " @@\n"
}

// pair draws two texts, the second edited from the first. Some have many equal lines, some
// more than the block in which git drops a common end, some lines without an end.
func pair(seed int) (before, after string) {
	few := rapid.SampledFrom([]string{"a\n", "b\n", "{\n", "}\n", "\n", "  x\n", "\ty\n", "    }\n", " \t\n", "\v\n", "c\r\n", "c\n"})
	many := rapid.Map(rapid.IntRange(0, 400), func(n int) string { return fmt.Sprintf("%*sline %d\n", n%5, "", n) })
	line := rapid.OneOf(few, many)
	if seed%3 == 0 {
		line = few
	}
	most := []int{6, 30, 200, 3000}[seed%4]
	lines := rapid.SliceOfN(line, most/3, most).Example(seed)
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	edited := append([]string{}, lines...)
	for range r.IntN(1 + min(most, 60)) {
		at := r.IntN(len(edited) + 1)
		size := r.IntN(min(8, len(edited)-at) + 1)
		switch r.IntN(4) {
		case 0:
			edited = append(edited[:at:at], edited[at+size:]...)
		case 1:
			edited = append(edited[:at:at], append([]string{line.Example(r.IntN(1000))}, edited[at:]...)...)
		case 2: // a copy of lines elsewhere
			to := r.IntN(len(edited) + 1)
			edited = append(edited[:to:to], append(append([]string{}, edited[at:at+size]...), edited[to:]...)...)
		case 3:
			if at < len(edited) {
				edited[at] = line.Example(r.IntN(1000))
			}
		}
	}
	before, after = strings.Join(lines, ""), strings.Join(edited, "")
	if seed%7 == 0 {
		after = strings.TrimSuffix(after, "\n")
	}
	return before, after
}

// git returns the headers of the hunks of each file.
func git(t *testing.T, before, after map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for side, files := range map[string]map[string]string{"before": before, "after": after} {
		if err := os.Mkdir(filepath.Join(dir, side), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, side, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "diff", "--no-index", "-U0", "--inter-hunk-context=0",
		"--diff-algorithm=myers", "--indent-heuristic", "--text", "--no-color", "--no-ext-diff", "before", "after")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir, "LC_ALL=C"}
	out, _ := cmd.Output() // 1: there are differences
	hunks, name := map[string]string{}, ""
	for name := range before {
		hunks[name] = ""
	}
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "diff --git a/before/"); ok {
			name = rest[:3]
		}
		if strings.HasPrefix(line, "@@ ") {
			ranges, _, _ := strings.Cut(line[len("@@ "):], " @@")
			hunks[name] += "@@ " + ranges + " @@\n"
		}
	}
	return hunks
}
