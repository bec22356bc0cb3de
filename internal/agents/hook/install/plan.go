package install

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// members is an object whose members keep their order.
type members []addition

// MarshalJSON writes the members in their order.
func (m members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i, a := range m {
		b.WriteByte(",{"[boolIndex(i == 0)])
		b.Write(hujson.String(a.name))
		b.WriteByte(':')
		if err := enc.Encode(a.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

// plan is the registration of one agent.
type plan struct {
	profile.Profile
	manner

	notices []string
}

// add adds what is missing to a document.
func (p *plan) add(file string, d *document) error {
	root, _ := d.root.Value.(*hujson.Object) // parse accepts nothing else
	var additions []addition
	if p.Settings.Version != 0 && member(root, "version") == nil {
		additions = append(additions, addition{"version", p.Settings.Version})
	}
	container := member(root, p.Settings.Container)
	if container == nil {
		var events members
		for _, e := range p.Events {
			events = append(events, addition{e.Name, []any{p.Settings.Entry(e, p.commandFor(e))}})
		}
		return d.insert(d.root, append(additions, addition{p.Settings.Container, events}))
	}
	object, ok := container.Value.(*hujson.Object)
	if !ok {
		return d.wrong(file, *container, fmt.Sprintf("%q is no object", p.Settings.Container))
	}
	if err := d.insert(d.root, additions); err != nil {
		return err
	}
	additions = nil
	for _, e := range p.Events {
		list := member(object, e.Name)
		if list == nil {
			additions = append(additions, addition{e.Name, []any{p.Settings.Entry(e, p.commandFor(e))}})
			continue
		}
		if list.Value.Kind() != '[' {
			return d.wrong(file, *list, fmt.Sprintf("%q is no array", e.Name))
		}
		if own := ownEntries(*list); len(own) > 0 {
			p.adapt(d, e, own)
		} else if err := d.insert(*list, []addition{{value: p.Settings.Entry(e, p.commandFor(e))}}); err != nil {
			return err
		}
	}
	return d.insert(*container, additions)
}

func (p *plan) commandFor(e profile.Event) string { return command(p.Profile, e.Name, p.manner) }

// adapt makes existing entries observe or decide. A command that the user
// wrote in another way is not changed.
func (p *plan) adapt(d *document, e profile.Event, entries []hujson.Value) {
	replaced := map[string]string{}
	for _, prefix := range []string{profile.Guard, ""} {
		former, now := command(p.Profile, e.Name, manner{!p.observe, p.managed}), p.commandFor(e)
		if prefix == "" && p.Settings.Guarded {
			former, now = former[len(profile.Guard):], now[len(profile.Guard):]
		}
		replaced[former] = now
	}
	for _, entry := range entries {
		lines, _ := ownEntry(entry)
		for _, v := range lines {
			literal, _ := v.Value.(hujson.Literal) // ownEntry returns texts only
			own, observes := runs(literal.String())
			if !own || observes == p.observe {
				continue
			}
			if now, known := replaced[literal.String()]; known {
				d.edits = append(d.edits, edit{at: v.StartOffset, drop: v.EndOffset - v.StartOffset, text: quoted(now)})
				continue
			}
			verb := "add --observe to"
			if observes {
				verb = "remove --observe from"
			}
			p.notices = append(p.notices, fmt.Sprintf("%s: not changed, because it is not as rulecheck writes it; %s %q", e.Name, verb, literal.String()))
		}
	}
}

// quoted returns a JSON string as encode writes it.
func quoted(text string) string { return string(hujson.String(text)) }
