package toolcall_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// quoted quotes a text for bash.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// wraps are ways to run a line that change nothing of what it does.
var wraps = []func(line string, r *rand.Rand) string{
	func(l string, _ *rand.Rand) string { return "bash -c " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "sh -ec " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "eval " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "bash <<'E" + "OX'\n" + l + "\nEOX\n" },
	func(l string, _ *rand.Rand) string { return "bash <<< " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "{\n" + l + "\n}" },
	func(l string, _ *rand.Rand) string { return "(\n" + l + "\n)" },
	func(l string, _ *rand.Rand) string { return "if true; then\n" + l + "\nfi" },
	func(l string, _ *rand.Rand) string { return "if false; then :; else\n" + l + "\nfi" },
	func(l string, _ *rand.Rand) string { return "for i in 1 2; do\n" + l + "\ndone" },
	func(l string, _ *rand.Rand) string { return "while :; do\n" + l + "\nbreak; done" },
	func(l string, _ *rand.Rand) string { return "case x in *)\n" + l + "\n;; esac" },
	func(l string, r *rand.Rand) string {
		f := "f" + strconv.Itoa(r.IntN(1000))
		return f + "() {\n" + l + "\n}; " + f
	},
	func(l string, _ *rand.Rand) string { return "sudo -n sh -c " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "env A=1 B=2 bash -c " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "timeout -k 5 60 bash -c " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "nohup nice -n 3 bash -c " + quoted(l) + " &" },
	func(l string, _ *rand.Rand) string { return "printf '%s\\n' " + quoted(l) + " | bash" },
	func(l string, _ *rand.Rand) string { return "cat <<'EOY' | sh -s\n" + l + "\nEOY\n" },
	func(l string, _ *rand.Rand) string { return "trap " + quoted(l) + " EXIT" },
	func(l string, _ *rand.Rand) string { return "x=$(\n" + l + "\n)" },
	func(l string, _ *rand.Rand) string { return "echo \"$(\n" + l + "\n)\"" },
	func(l string, _ *rand.Rand) string { return "true && {\n" + l + "\n}" },
	func(l string, _ *rand.Rand) string { return "false || {\n" + l + "\n}" },
	func(l string, _ *rand.Rand) string { return "echo x | xargs -I@@ bash -c " + quoted(l) },
	func(l string, _ *rand.Rand) string {
		if strings.Contains(l, "{}") {
			return l // which find would replace
		}
		return "find . -maxdepth 0 -exec sh -c " + quoted(l) + " \\;"
	},
	func(l string, r *rand.Rand) string {
		v := "v" + strconv.Itoa(r.IntN(1000))
		return v + "=" + quoted(l) + "; eval \"$" + v + "\""
	},
	func(l string, _ *rand.Rand) string { return "bash <(echo " + quoted(l) + ")" },
	func(l string, _ *rand.Rand) string { return "{\n" + l + "\n} 2>&1 | cat" },
	func(l string, _ *rand.Rand) string { return ": ; cd . &&\n" + l },
	func(l string, _ *rand.Rand) string { return "# a comment\n\n" + l + " # another" },
	func(l string, _ *rand.Rand) string { return "echo " + quoted(l) + " > /tmp/s.sh; bash /tmp/s.sh" },
	func(l string, _ *rand.Rand) string { return "source /dev/stdin <<< " + quoted(l) },
	func(l string, _ *rand.Rand) string { return "time (\n" + l + "\n)" },
	func(l string, _ *rand.Rand) string { return "! {\n" + l + "\n}" },
	func(l string, _ *rand.Rand) string { return "coproc {\n" + l + "\n}" },
	func(l string, _ *rand.Rand) string { return "set -- " + quoted(l) + "; sh -c \"$1\"" },
}

// plain is a line whose words can be written in other ways one by one.
var plain = regexp.MustCompile(`^[\w][\w ./+:,@-]*$`)

// respell writes the words of a plain line in other ways.
func respell(line string, r *rand.Rand) string {
	words := strings.Fields(line)
	prefix := ""
	for i, w := range words {
		at := r.IntN(len(w))
		switch r.IntN(9) {
		case 0:
			words[i] = quoted(w)
		case 1:
			words[i] = `"` + w + `"`
		case 2:
			words[i] = w[:at] + `""` + w[at:]
		case 3:
			words[i] = w[:at] + `\` + w[at:]
		case 4:
			words[i] = "$'" + w + "'"
		case 5:
			words[i] = w[:at] + "\\\n" + w[at:]
		case 6:
			v := "w" + strconv.Itoa(i)
			prefix += v + "=" + quoted(w) + "; "
			words[i] = "$" + v
		case 7:
			v := "w" + strconv.Itoa(i)
			prefix += v + "=" + quoted(w[at:]) + "\n"
			words[i] = w[:at] + "${" + v + "}"
		}
	}
	return prefix + strings.Join(words, strings.Repeat(" ", 1+r.IntN(3)))
}

// TestRewritten rewrites lines that are denied: none may pass.
// RULECHECK_REWRITINGS sets how many are tried.
func TestRewritten(t *testing.T) {
	t.Parallel()
	n := lawtest.Cases(t, "RULECHECK_REWRITINGS", 1000)
	c := load(t, []string{"bundled/agents"}, nil)
	var denied []row
	for _, file := range corpora {
		for _, r := range rows(t, file) {
			// A mistake in the grammar, or an end of the input, would end the wrap too.
			if r.Verdict == "deny" && !strings.Contains(r.Line, "<<") && !strings.Contains(r.Line, "#") {
				denied = append(denied, r)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, uint64(n))) // the same lines in every run
	soft := 0
	for range n {
		base := denied[r.IntN(len(denied))]
		if got, _ := verdict(t, c, base.Line, base.Cwd); got == "allow" {
			continue
		}
		line := base.Line
		if plain.MatchString(line) && !strings.HasPrefix(line, "time ") && r.IntN(3) > 0 { // time is a word of the grammar
			line = respell(line, r)
		}
		for range r.IntN(4) {
			line = wraps[r.IntN(len(wraps))](line, r)
		}
		switch got, _ := verdict(t, c, line, base.Cwd); got {
		case "allow":
			t.Errorf("%s passes as:\n%s", base.ID, line)
		case "opaque":
			soft++
		}
	}
	t.Logf("%d rewritings, %d of them asked about", n, soft)
}
