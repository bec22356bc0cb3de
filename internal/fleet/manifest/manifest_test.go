package manifest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/fleet/manifest"
	"github.com/rulecheck/rulecheck/internal/golden"
)

func options() manifest.Options {
	return manifest.Options{Shards: 3, List: "it's a list.ndjson", Ledgers: "ledgers/", Image: "registry.example.com/rulecheck:1", Claim: "fleet"}
}

// TestManifests compares the manifest of every scheduler with a golden file.
func TestManifests(t *testing.T) {
	t.Parallel()
	for _, e := range manifest.Engines {
		got, err := e.Write(options())
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, filepath.Join("testdata", e.Name+".golden"), got)
	}
}

// TestHostileValues refuses what an engine would expand, and too many shards.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	for _, e := range manifest.Engines {
		for _, bad := range []func(*manifest.Options){
			func(o *manifest.Options) { o.List = "${{ secrets.TOKEN }}" },
			func(o *manifest.Options) { o.List = "$(JOB)" },
			func(o *manifest.Options) { o.List = "--help" },
			func(o *manifest.Options) { o.Image = "a\nb" },
			func(o *manifest.Options) { o.Claim = "" },
			func(o *manifest.Options) { o.Ledgers = "ledgers" },
			func(o *manifest.Options) { o.Shards = 0 },
			func(o *manifest.Options) { o.Shards = 1_000_000 },
		} {
			o := options()
			bad(&o)
			if text, err := e.Write(o); err == nil || !strings.Contains(err.Error(), "want") {
				t.Errorf("%s of %+v: %v\n%s", e.Name, o, err, text)
			}
		}
	}
	if _, err := manifest.Lookup("nomad"); err == nil || !strings.Contains(err.Error(), "kubernetes, github, gitlab, slurm") {
		t.Errorf("an unknown scheduler: %v", err)
	}
}
