package mask_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/mask"
)

func TestSecretsKeepsLines(t *testing.T) {
	lines := strings.Repeat("src/a.go:1:2: unused variable x\n", 500)
	if got := mask.Secrets(lines + "password: hunter2horse\n" + lines); got != lines+"password: ***\n"+lines {
		t.Errorf("%d bytes: %.100s", len(got), strings.TrimPrefix(got, lines))
	}
	if mask.Secrets("") != "" {
		t.Error("an empty text is not empty")
	}
}

// TestQuotedAfterAName: a word with a space that is masked is not looked into again.
func TestQuotedAfterAName(t *testing.T) {
	for text, want := range map[string]string{
		"token 'Xk29fjQ8sLm2 pQ7vR4zT'":               "token ***",
		"password \"s3cr3t_Zk28 f81kQpz02\" and more": "password *** and more",
	} {
		if got := mask.Secrets(text); got != want {
			t.Errorf("%q became %q; want %q", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	got := mask.Words([]string{"tool", "--password", "hunter2horse", "-v", "ghp_0123456789abcdefABCDEF0123456789abcd", "a b", "password", "x"})
	if strings.Contains(strings.Join(got, " "), "hunter2") || strings.Contains(strings.Join(got, " "), "0123456789") {
		t.Errorf("got %q", got)
	}
	for _, argv := range [][]string{{"gofmt", "-l", "src/a b.go"}, {"go", "vet", "./..."}, {"prettier", "--config", "x.json", "--key", "a"}, {"a"}, {}} {
		if got := mask.Words(argv); !slices.Equal(got, argv) {
			t.Errorf("%q became %q", argv, got)
		}
	}
}

func TestValues(t *testing.T) {
	environ := []string{"DEPLOY_TOKEN=plainvalue", "GOFLAGS=-mod=mod", "NPM_TOKEN=abc", "OTHER_TOKEN=notgiven"}
	values := mask.Values(environ, []string{"DEPLOY_TOKEN", "GOFLAGS", "NPM_TOKEN"})
	if !slices.Equal(values, []string{"plainvalue"}) {
		t.Fatalf("values %q", values)
	}
	if got := mask.Known("with plainvalue and -mod=mod", values); got != "with *** and -mod=mod" {
		t.Errorf("got %q", got)
	}
}
