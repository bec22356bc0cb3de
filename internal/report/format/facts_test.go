package format_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

const schemaFile = "../../../docs/facts.schema.json"

// decided returns the report of an audit with results of rules.
func decided() *report.Report {
	r := reporttest.Audited()
	peak := int64(9)
	r.Sessions[0].Verdicts = []report.VisitResult{
		{Visit: 1, Rule: "token-budget", Mode: "token_budget", Level: "note", Result: report.Fired, Peak: &peak, Limit: 8},
		{Visit: 3, Rule: "build-loop", Mode: "repeated_command", Level: "error", Result: report.Fired, Peak: &peak, PeakAt: r.Sessions[0].Start, Limit: 6, Window: 120},
		{Visit: 3, Rule: "token-budget", Mode: "token_budget", Level: "note", Result: report.Unknown, Reason: "no tokens"},
	}
	return r
}

func facts(t *testing.T, r *report.Report) (text string, rows []map[string]any) {
	t.Helper()
	text = write(t, "facts", r, format.Options{})
	for line := range strings.Lines(text) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return text, rows
}

// Every visit has a row, and one for each rule on it; findings decide about waivers.
func TestFacts(t *testing.T) {
	_, rows := facts(t, decided())
	var got []string
	for _, row := range rows {
		if row["session"] == reporttest.Audited().Sessions[0].ID {
			text := func(key string) string { s, _ := row[key].(string); return s }
			got = append(got, strings.Join([]string{text("phase"), text("rule"), text("result"), text("reason")}, " "))
		}
	}
	want := []string{"spec   ", "code token-budget waived ", "review   ", "code build-loop fired ", "code token-budget unknown no tokens"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The schema in the documentation is that of the rows.
func TestFactsSchema(t *testing.T) {
	golden.Compare(t, schemaFile, string(factSchema(t)))
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*report.Report{decided(), reporttest.Small(), reporttest.Both()} {
		_, rows := facts(t, r)
		if len(rows) == 0 {
			t.Error("no rows")
		}
		for _, row := range rows {
			if err := schema.Validate(row); err != nil {
				t.Error(err)
			}
		}
	}
	page, err := os.ReadFile("../../../docs/facts.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range schema.Properties {
		if !regexp.MustCompile(`[ "]`+name+`"?: '[A-Z]+'`).Match(page) || !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/facts.md lacks the column %s", name)
		}
	}
	if schema.Validate(map[string]any{"schema": report.FactSchema}) == nil {
		t.Error("a row without a session is valid")
	}
}

func factSchema(t *testing.T) []byte {
	t.Helper()
	properties, required := map[string]any{}, []string{}
	var add func(of reflect.Type, always bool)
	add = func(of reflect.Type, always bool) {
		for field := range of.Fields() {
			name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case name == "-":
			case field.Anonymous && field.Type.Kind() == reflect.Pointer:
				add(field.Type.Elem(), false)
			case field.Anonymous:
				add(field.Type, always)
			default:
				properties[name] = kindOf(field.Type)
				if always && rest == "" {
					required = append(required, name)
				}
			}
		}
	}
	add(reflect.TypeFor[report.Fact](), true)
	properties["schema"] = map[string]any{"const": report.FactSchema}
	properties["result"] = map[string]any{"enum": []any{report.Held, report.Fired, report.Waived, report.Unknown}}
	data, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "One line of " + report.FactSchema,
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

func kindOf(of reflect.Type) map[string]any {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case of.Kind() == reflect.Pointer:
		return map[string]any{"type": []any{"integer", "null"}}
	case of.Kind() == reflect.Int || of.Kind() == reflect.Int64:
		return map[string]any{"type": "integer"}
	case of.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	}
	return map[string]any{"type": "string"}
}

// TestFactsInDuckDB runs the queries of docs/facts.md. DUCKDB names the directory in which
// npm installed @duckdb/node-api.
func TestFactsInDuckDB(t *testing.T) {
	modules := os.Getenv("DUCKDB")
	if modules == "" {
		t.Skip("DUCKDB is not set; run: sh scripts/facts.sh")
	}
	page, err := os.ReadFile("../../../docs/facts.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text, rows := facts(t, decided())
	if err := os.WriteFile(filepath.Join(dir, "facts.ndjson"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	queries := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(queries) < 6 {
		t.Fatalf("%d queries", len(queries))
	}
	views := queries[0][1]
	queries = queries[1:]
	const program = `const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
	const db = await (await DuckDBInstance.create()).connect();
	const read = await db.runAndReadAll(require("fs").readFileSync(0, "utf8"));
	console.log(JSON.stringify(read.getRowObjectsJson()));
})().catch(e => { console.error(String(e)); process.exit(1); });`
	results := make([][]map[string]any, len(queries))
	for i, q := range queries {
		cmd := exec.CommandContext(t.Context(), "node", "-e", program)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(views+q[1])
		cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(modules, "node_modules"))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", q[1], err, stderr.String())
		}
		if err := json.Unmarshal(out, &results[i]); err != nil || len(results[i]) == 0 {
			t.Errorf("%s: %v, %s", q[1], err, out)
		}
	}
	want := []map[string]any{
		{"rule": "build-loop", "visits": "1", "fired": "1", "unknown": "0"}, {"rule": "token-budget", "visits": "2", "fired": "0", "unknown": "1"},
	}
	if diff := cmp.Diff(want, results[0]); diff != "" {
		t.Errorf("%d rows: %s", len(rows), diff)
	}
}

// linesOfJSON describes lines that are JSON values each.
func linesOfJSON(tb testing.TB, output string) string {
	tb.Helper()
	return valuesOf(tb, "["+strings.ReplaceAll(strings.TrimSpace(output), "\n", ",")+"]")
}
