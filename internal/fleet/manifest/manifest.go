// Package manifest writes the jobs that check a list in shards, one template per scheduler.
package manifest

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Options are the values in a manifest.
type Options struct {
	Shards  int
	List    string // file, as the jobs see it
	Ledgers string // directory, as the jobs see it; ends with "/"
	Image   string // of containers
	Claim   string // Kubernetes: the volume with the list, the repositories and the ledgers
}

// Engine is a scheduler for which there is a manifest.
type Engine struct {
	Name string
	file string // the template
	most int    // shards of one job
	// quote writes a value into the template.
	quote func(string) string
}

// Engines is the table of schedulers.
var Engines = []Engine{
	{Name: "kubernetes", file: "kubernetes.yaml", most: 100_000, quote: quoteYAML},
	{Name: "github", file: "github.yaml", most: 256, quote: quoteYAML},
	{Name: "gitlab", file: "gitlab.yaml", most: 200, quote: quoteYAML},
	{Name: "slurm", file: "slurm.sh", most: 1000, quote: shell.Quote},
}

//go:embed templates
var templates embed.FS

// Lookup returns the scheduler with a name.
func Lookup(name string) (Engine, error) {
	var names []string
	for _, e := range Engines {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Engine{}, fmt.Errorf("unknown scheduler %q; want one of %s", name, strings.Join(names, ", "))
}

// Write returns the manifest.
func (e Engine) Write(o Options) (string, error) {
	if o.Shards < 1 || o.Shards > e.most {
		return "", fmt.Errorf("%d shards; want 1 to %d for %s", o.Shards, e.most, e.Name)
	}
	for _, value := range []string{o.List, o.Ledgers, o.Image, o.Claim} {
		if value == "" || strings.HasPrefix(value, "-") || strings.Contains(value, "$") || string(plain.Line(value)) != value {
			return "", fmt.Errorf("bad value %q; want a name without control characters, \"$\" and a leading \"-\"", value)
		}
	}
	if !strings.HasSuffix(o.Ledgers, "/") {
		return "", errors.New("the directory of the ledgers; want it with \"/\" at its end")
	}
	text, err := templates.ReadFile("templates/" + e.file)
	if err != nil {
		return "", err
	}
	return e.replacer(o).Replace(string(text)), nil
}

// replacer replaces the placeholders: words in capitals where a value is expected. Comments
// and the names of variables are left as they are.
func (e Engine) replacer(o Options) *strings.Replacer {
	numbers := make([]string, o.Shards)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i + 1)
	}
	shards, list, ledgers := strconv.Itoa(o.Shards), e.quote(o.List), e.quote(o.Ledgers)
	return strings.NewReplacer(
		"RULECHECK_SHARDS", "RULECHECK_SHARDS", "$LIST", "$LIST", "$LEDGERS", "$LEDGERS",
		"LIST: LIST", "LIST: "+list, "LEDGERS: LEDGERS", "LEDGERS: "+ledgers,
		"LIST=LIST", "LIST="+list, "LEDGERS=LEDGERS", "LEDGERS="+ledgers,
		"LIST", list, "LEDGERS", ledgers, "IMAGE", e.quote(o.Image), "CLAIM", e.quote(o.Claim),
		"NUMBERS", strings.Join(numbers, ", "), "SHARDS", shards, "LAST", strconv.Itoa(o.Shards-1),
	)
}

// quoteYAML returns a YAML scalar. Values have no control characters.
func quoteYAML(value string) string { return "'" + strings.ReplaceAll(value, "'", "''") + "'" }
