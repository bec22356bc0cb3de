package diff

import (
	"context"
	"strings"
)

// Messages are those of the commits of head that base does not have, newest
// first. An unborn head has none.
func (e *embedded) Messages(_ context.Context, base Base, head Head) ([]Message, error) {
	if head.Commit == "" {
		return nil, nil
	}
	if v, ok := e.config.last("i18n.logoutputencoding"); ok && !strings.EqualFold(v.value, "utf-8") {
		return nil, needsGit("a log in the encoding " + v.value)
	}
	old, err := e.ancestors(base.Commit)
	if err != nil {
		return nil, err
	}
	w := e.walk()
	start := parseID(head.Commit)
	if old[start] {
		return nil, nil
	}
	if err := w.reach(start); err != nil {
		return nil, err
	}
	var list []Message
	for w.Len() > 0 {
		commit, c := w.next()
		if c.encoding != "" && !strings.EqualFold(c.encoding, "utf-8") {
			return nil, needsGit("the message of commit " + commit.String() + " in the encoding " + c.encoding)
		}
		text, _, _ := strings.Cut(c.text, "\x00")
		list = append(list, Message{Commit: commit.String(), Text: text})
		for _, parent := range c.parents {
			if _, seen := w.commits[parent]; seen || old[parent] {
				continue
			}
			if err := w.reach(parent); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// ancestors are a commit and everything it can reach; of a tree nothing.
func (e *embedded) ancestors(name string) (map[id]bool, error) {
	commit := parseID(name)
	kind, _, err := e.objects.read(commit)
	if err != nil || kind != kindCommit {
		return nil, err
	}
	all := map[id]bool{commit: true}
	for queue := []id{commit}; len(queue) > 0; {
		c, err := e.readCommit(queue[len(queue)-1])
		if err != nil {
			return nil, err
		}
		queue = queue[:len(queue)-1]
		for _, parent := range c.parents {
			if !all[parent] {
				all[parent] = true
				queue = append(queue, parent)
			}
		}
	}
	return all, nil
}
