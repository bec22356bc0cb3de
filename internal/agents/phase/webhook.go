package phase

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// webhookResult is the result of a webhook, as the caller reports it.
type webhookResult struct {
	Success    *bool `json:"success"`
	StatusCode *int  `json:"status_code"`
	Body       any   `json:"body"`
	JSONBody   any   `json:"json_body"` // if absent, the body is parsed
}

// resultMismatch explains why a webhook result does not match; empty if it does.
func resultMismatch(e workflow.ExitCondition, raw json.RawMessage) string {
	w := e.Webhook
	if len(raw) == 0 {
		return "there is no result yet of " + w.URL + "; report it: rulecheck workflow next --webhook-result " + shell.Quote(e.ID+"=FILE")
	}
	var r webhookResult
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		return fmt.Sprintf("its result is %s; want an object with success, status_code and body", raw)
	}
	body, _ := r.Body.(string)
	switch {
	case r.Success == nil:
		return `its result does not say "success"`
	case *r.Success != w.ExpectSuccess:
		return fmt.Sprintf(`its result has "success": %t; want %t`, *r.Success, w.ExpectSuccess)
	case len(w.Status) > 0 && (r.StatusCode == nil || !slices.Contains(w.Status, *r.StatusCode)):
		return fmt.Sprintf(`its result has "status_code": %s; want one of %v`, shownNumber(r.StatusCode), w.Status)
	case w.BodyContains != "" && !strings.Contains(body, w.BodyContains):
		return fmt.Sprintf("its body does not contain %q", w.BodyContains)
	case w.JSONField == "":
		return ""
	}
	value := r.JSONBody
	if value == nil {
		value = r.Body
	}
	if body != "" && r.JSONBody == nil {
		var err error
		if value, err = gate.Decode([]byte(body)); err != nil {
			return "its body is not JSON"
		}
	}
	for name := range strings.SplitSeq(w.JSONField, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	if value == nil || w.JSONValue != nil && !gate.Same(value, w.JSONValue) {
		return fmt.Sprintf("its field %s is %s; want %s", w.JSONField, jsonOf(value), wantedJSON(w.JSONValue))
	}
	return ""
}

func shownNumber(n *int) string {
	if n == nil {
		return "nothing"
	}
	return strconv.Itoa(*n)
}

func wantedJSON(value any) string {
	if value == nil {
		return "any value but null"
	}
	return jsonOf(value)
}

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
