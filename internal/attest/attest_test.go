package attest_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/attest"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// keys writes a private key and its public key, and returns the files.
func keys(t *testing.T, private any, public any) (keyFile, signers string) {
	t.Helper()
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	open, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	keyFile, signers = filepath.Join(dir, "key.pem"), filepath.Join(dir, "signers.pem")
	for file, block := range map[string]*pem.Block{keyFile: {Type: "PRIVATE KEY", Bytes: secret}, signers: {Type: "PUBLIC KEY", Bytes: open}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return keyFile, signers
}

func newEd25519(t *testing.T) (keyFile, signers string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return keys(t, private, public)
}

// checked is a repository with a checked commit, and what must be attested of it.
type checked struct {
	statement *attest.Statement
	required  *attest.Requirement
}

func checkedCommit(t *testing.T) checked {
	t.Helper()
	r := gittest.New(t)
	r.Write(".rulecheck/rules/pair.md", "---\npair: {trigger: \"src/{path}.py\", expects: \"tests/{path}_test.py\"}\n---\nChange the test.\n")
	r.Write(".rulecheck/rules/note.md", "---\ntrigger: \"src/**\"\nlevel: note\n---\nLook at the docs.\n")
	r.Write(".rulecheck/config.yml", "fail_on: error\n")
	r.Write("src/a.py", "a\n")
	r.Write("tests/a_test.py", "a\n")
	r.Commit("base")
	r.Git("switch", "-qc", "topic")
	r.Write("src/a.py", "b\n")
	r.Write("tests/a_test.py", "b\n")
	r.Commit("topic")
	engine := r.Open()
	result, err := check.Complete(t.Context(), engine, check.Options{To: "HEAD", Agents: agents.Ring{}})
	if err != nil {
		t.Fatal(err)
	}
	repo, err := git.Open(t.Context(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	commit, tree, err := attest.TreeOf(t.Context(), repo, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	base, _, err := attest.TreeOf(t.Context(), repo, "main")
	if err != nil {
		t.Fatal(err)
	}
	statement, err := attest.Of(t.Context(), result, commit, tree)
	if err != nil {
		t.Fatal(err)
	}
	project, err := setup.Open(t.Context(), engine, diff.Head{Kind: diff.Commit, Ref: "main", Commit: base}, agents.Ring{})
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	project.ReadPolicies(builtin)
	if err := project.ReadRules(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	required, err := attest.Require(t.Context(), project, commit, tree, base, base)
	if err != nil {
		t.Fatal(err)
	}
	return checked{statement, required}
}

func TestStatement(t *testing.T) {
	c := checkedCommit(t)
	p := c.statement.Predicate
	if p.Result != "WARNED" || len(p.Passed) != 1 || p.Passed[0] != "pair" || len(p.Warned) != 1 || p.Warned[0] != "note" {
		t.Errorf("result %s, passed %v, warned %v, failed %v; want the pair to pass and the note to warn", p.Result, p.Passed, p.Warned, p.Failed)
	}
	if err := c.required.Accept(c.statement); err != nil {
		t.Errorf("the statement of the check is refused: %v", err)
	}
}

func TestSignersOfAllKinds(t *testing.T) {
	c := checkedCommit(t)
	for _, curve := range []elliptic.Curve{nil, elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		keyFile, signers := newEd25519(t)
		name := "Ed25519"
		if curve != nil {
			private, err := ecdsa.GenerateKey(curve, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			name = curve.Params().Name
			keyFile, signers = keys(t, private, private.Public())
		}
		envelope, err := attest.Sign(t.Context(), c.statement, keyFile)
		if err != nil {
			t.Fatal(name, err)
		}
		trusted, err := attest.ReadSigners(signers)
		if err != nil {
			t.Fatal(name, err)
		}
		got, key, err := trusted.Open(t.Context(), envelope)
		if err != nil || !strings.HasPrefix(key, "SHA256:") {
			t.Fatalf("%s: %q, %v", name, key, err)
		}
		if err := c.required.Accept(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, other := newEd25519(t)
		if trusted, err = attest.ReadSigners(other); err != nil {
			t.Fatal(err)
		}
		if _, _, err := trusted.Open(t.Context(), envelope); err == nil {
			t.Errorf("%s: the key of another signer accepts the envelope", name)
		}
	}
}

// TestMutations changes one thing of an envelope, of the statement in it, or of what is required,
// and wants a refusal with a reason.
func TestMutations(t *testing.T) {
	c := checkedCommit(t)
	keyFile, signersFile := newEd25519(t)
	signers, err := attest.ReadSigners(signersFile)
	if err != nil {
		t.Fatal(err)
	}
	envelope, err := attest.Sign(t.Context(), c.statement, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	accepts := func(envelope []byte, required *attest.Requirement) error {
		s, _, err := signers.Open(t.Context(), envelope)
		if err != nil {
			return err
		}
		return required.Accept(s)
	}
	if err := accepts(envelope, c.required); err != nil {
		t.Fatalf("the untouched envelope is refused: %v", err)
	}
	refused := func(t *rapid.T, what string, err error) {
		if err == nil {
			t.Fatalf("%s is accepted", what)
		}
		if strings.TrimSpace(err.Error()) == "" {
			t.Fatalf("%s is refused without a reason", what)
		}
	}
	t.Run("bytes", rapid.MakeCheck(func(t *rapid.T) {
		var parts struct {
			PayloadType string `json:"payloadType"`
			Payload     string `json:"payload"`
			Signatures  []struct {
				KeyID string `json:"keyid"`
				Sig   string `json:"sig"`
			} `json:"signatures"`
		}
		if err := json.Unmarshal(envelope, &parts); err != nil {
			t.Fatal(err)
		}
		flip := func(text string) string {
			raw, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			at := rapid.IntRange(0, len(raw)-1).Draw(t, "at")
			raw[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			return base64.StdEncoding.EncodeToString(raw)
		}
		switch rapid.IntRange(0, 4).Draw(t, "part") {
		case 0:
			parts.Payload = flip(parts.Payload)
		case 1:
			parts.Signatures[0].Sig = flip(parts.Signatures[0].Sig)
		case 2:
			parts.PayloadType += "x"
		case 3:
			parts.Signatures = nil
		case 4:
			parts.Signatures[0].KeyID = "SHA256:other"
		}
		changed, err := json.Marshal(parts)
		if err != nil {
			t.Fatal(err)
		}
		refused(t, string(changed), accepts(changed, c.required))
	}))
	t.Run("statement", rapid.MakeCheck(func(t *rapid.T) {
		s := copyOf(t, c.statement)
		what := mutate(t, s)
		signed, err := attest.Sign(t.Context(), s, keyFile)
		if err != nil {
			t.Fatal(err)
		}
		refused(t, what, accepts(signed, c.required))
	}))
	t.Run("requirement", rapid.MakeCheck(func(t *rapid.T) {
		r := *c.required
		other := strings.Repeat(rapid.SampledFrom([]string{"a", "b", "0"}).Draw(t, "digit"), 40)
		what := rapid.SampledFrom([]string{"tree", "base", "rules", "level"}).Draw(t, "what")
		switch what {
		case "tree":
			r.Tree = other
		case "base":
			r.Base = other
		case "rules":
			r.Rules = append([]string{"another"}, r.Rules...)
		case "level":
			r.FailOn = "warning"
		}
		refused(t, what, accepts(envelope, &r))
	}))
}

// mutate changes one thing that a reader relies on.
func mutate(t *rapid.T, s *attest.Statement) string {
	p := &s.Predicate
	other := strings.Repeat("c", 40)
	configured := func(name string) *attest.Resource {
		for i := range p.Configuration {
			if p.Configuration[i].Name == name {
				return &p.Configuration[i]
			}
		}
		t.Fatalf("no resource %q", name)
		return nil
	}
	what := rapid.SampledFrom([]string{
		"type", "predicate type", "tree", "no subject", "base", "no base", "second base", "rule text", "no rule text", "added rule", "level",
		"problem", "failed", "passed", "warned", "result", "failed rule",
	}).Draw(t, "what")
	switch what {
	case "type":
		s.Type = "https://in-toto.io/Statement/v0.1"
	case "predicate type":
		s.PredicateType += "x"
	case "tree":
		s.Subject[1].Digest["gitTree"] = other
	case "no subject":
		s.Subject = nil
	case "base":
		configured("base").Digest["gitCommit"] = other
	case "no base":
		configured("base").Name = "x"
	case "second base":
		p.Configuration = append(p.Configuration, attest.Resource{Name: "base", Digest: map[string]string{"gitCommit": other}})
	case "rule text":
		configured(".rulecheck/rules/pair.md").Digest["sha256"] = other
	case "no rule text":
		configured(".rulecheck/rules/pair.md").Digest = nil
	case "added rule":
		p.Configuration = append(p.Configuration, attest.Resource{Name: ".rulecheck/rules/x.md", Digest: map[string]string{"sha256": other}})
	case "level":
		configured("rulecheck").Annotations["failOn"] = "warning"
	case "problem":
		p.Configuration = append(p.Configuration, attest.Resource{Name: "problem", Annotations: map[string]any{"message": "x"}})
	case "failed":
		p.Result = "FAILED"
	case "passed":
		p.Passed = nil
	case "warned":
		p.Warned = nil
	case "result":
		p.Result = rapid.SampledFrom([]string{"", "passed", "OK"}).Draw(t, "result")
	case "failed rule":
		p.Failed = []string{"pair"}
	}
	return what
}

func copyOf(t *rapid.T, s *attest.Statement) *attest.Statement {
	text, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var same attest.Statement
	if err := json.Unmarshal(text, &same); err != nil {
		t.Fatal(err)
	}
	return &same
}

func TestWrongKeys(t *testing.T) {
	c := checkedCommit(t)
	keyFile, signers := newEd25519(t)
	for name, text := range map[string]string{
		"empty":      "",
		"no PEM":     "x",
		"a password": "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
		"broken":     "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
	} {
		file := filepath.Join(t.TempDir(), "key.pem")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := attest.Sign(t.Context(), c.statement, file); err == nil || !strings.Contains(err.Error(), "want a PEM file") {
			t.Errorf("%s: Sign = %v; want the next step", name, err)
		}
		if _, err := attest.ReadSigners(file); err == nil || !strings.Contains(err.Error(), "want PEM blocks") {
			t.Errorf("%s: ReadSigners = %v; want the next step", name, err)
		}
	}
	if _, err := attest.ReadSigners(keyFile); err == nil {
		t.Error("a private key is read as one of a signer")
	}
	if _, err := attest.Sign(t.Context(), c.statement, signers); err == nil {
		t.Error("a public key signs")
	}
}
