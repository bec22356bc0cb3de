package agentlog

import "time"

// claudeRow holds the fields of a transcript row that count: a content block of an API
// call, or a user row, which is a prompt or the result of a tool.
type claudeRow struct {
	scanner

	kind, uuid, request, session, cwd, branch, forkedFrom []byte
	at                                                    time.Time
	sidechain, hidden, apiError                           bool
	outcome                                               []byte // of the tool, as text
	interrupted                                           bool
	old                                                   usage // where old versions write it

	id, model []byte
	usage     usage
	content   []byte // as a string
	blocks    []claudeBlock
}

type claudeBlock struct {
	kind, id, name, input, answers, text []byte
	isError                              bool
}

func (r *claudeRow) member(key []byte) {
	switch string(key) {
	case "type":
		r.kind, _ = r.text()
	case "uuid":
		r.uuid, _ = r.text()
	case "requestId":
		r.request, _ = r.text()
	case "sessionId":
		r.session, _ = r.text()
	case "cwd":
		r.cwd, _ = r.text()
	case "gitBranch":
		r.branch, _ = r.text()
	case "timestamp":
		text, _ := r.text()
		r.at = instant(text)
	case "isSidechain":
		r.sidechain = r.flag()
	case "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly":
		r.hidden = r.flag() || r.hidden
	case "isApiErrorMessage":
		r.apiError = r.flag()
	case "toolUseResult":
		r.toolResult()
	case "forkedFrom":
		r.origin()
	case "usage":
		r.old.read(&r.scanner)
	case "message":
		if r.peek() == '{' {
			r.object(r.messageMember)
		}
	}
}

func (r *claudeRow) toolResult() {
	switch r.peek() {
	case '"':
		r.outcome = r.str()
	case '{':
		r.interruption(&r.interrupted)
	}
}

// interruption reads whether the tool was interrupted from its result.
func (s *scanner) interruption(interrupted *bool) {
	s.object(func(key []byte) {
		if string(key) == "interrupted" {
			*interrupted = s.flag()
		}
	})
}

func (r *claudeRow) origin() {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		if string(key) == "sessionId" {
			r.forkedFrom, _ = r.text()
		}
	})
}

func (r *claudeRow) messageMember(key []byte) {
	switch string(key) {
	case "id":
		r.id, _ = r.text()
	case "model":
		r.model, _ = r.text()
	case "usage":
		r.usage.read(&r.scanner)
	case "content":
		switch r.peek() {
		case '"':
			r.content = r.str()
		case '[':
			r.array(r.block)
		}
	}
}

func (r *claudeRow) block() {
	if r.peek() != '{' {
		return
	}
	r.blocks = append(r.blocks, claudeBlock{})
	b := &r.blocks[len(r.blocks)-1]
	r.object(func(key []byte) {
		switch string(key) {
		case "type":
			b.kind, _ = r.text()
		case "id":
			b.id, _ = r.text()
		case "name":
			b.name, _ = r.text()
		case "input":
			b.input = r.skip()
		case "tool_use_id":
			b.answers, _ = r.text()
		case "is_error":
			b.isError = r.flag()
		case "text", "content":
			b.text = r.words()
		}
	})
}
