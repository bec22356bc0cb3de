package written

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var (
	headingLine = lazyregexp.New(`^\s{0,3}#{1,6}\s|^(={3,}|-{3,})\s*$`)
	itemLine    = lazyregexp.New(`^\s*([-*+•]|\d+[.)]|[a-z][.)])\s`)
	fenceLine   = lazyregexp.New("^\\s*(```|~~~)")
)

// prose splits a document of markdown, or of plain text, into paragraphs, items, rows of tables
// and blocks of code.
func prose(text string) []block {
	var blocks []block
	open := false // the last block goes on
	fence := ""
	line := 0
	for text := range strings.Lines(text) {
		line++
		text = strings.TrimRight(text, "\r\n")
		mark := fenceLine().FindString(text)
		switch {
		case fence != "" && strings.TrimSpace(mark) == fence:
			fence, open = "", false
		case fence != "":
			blocks[len(blocks)-1].text += text + "\n"
		case mark != "":
			fence = strings.TrimSpace(mark)
			blocks = append(blocks, block{line: line, code: true})
		case headingLine().MatchString(text):
			blocks, open = append(blocks, block{line: line, text: text + "\n", heading: true}), false
		case strings.TrimSpace(text) == "":
			open = false
		case !open, itemLine().MatchString(text), strings.HasPrefix(strings.TrimSpace(text), "|"):
			blocks, open = append(blocks, block{line: line, text: text + "\n"}), true
		default:
			blocks[len(blocks)-1].text += text + "\n"
		}
	}
	return blocks
}

var sentenceEnd = lazyregexp.New(`[.!?:]\s+\(?[A-Z*_\x60]`)

// longest is the number of characters up to which a block counts as one sentence.
const longest = 400

// sentences splits a long block where sentences end.
func sentences(b block) []block {
	var list []block
	for len(b.text) > longest {
		at := sentenceEnd().FindStringIndex(b.text)
		if at == nil {
			break
		}
		end := at[0] + 1
		list = append(list, block{line: b.line, text: b.text[:end]})
		b.line += strings.Count(b.text[:end], "\n")
		b.text = b.text[end:]
	}
	return append(list, b)
}

var (
	stepLine  = lazyregexp.New(`^\s*- (name|uses|run|id|if|path|label|type):?`)
	pathsLine = lazyregexp.New(`^\s*-?\s*["']?(paths|files)["']?:\s*`)
	jobLine   = lazyregexp.New(`^\S|^  \S`)
)

// workflow splits YAML into steps and lists of paths. The text is not parsed: templates and
// anchors are common, and only words are looked for.
func workflow(text string) []block {
	var blocks []block
	line, indent := 0, -1 // of an open list of paths
	for text := range strings.Lines(text) {
		line++
		code := strings.TrimRight(text, "\r\n")
		depth := len(code) - len(strings.TrimLeft(code, " "))
		item := strings.HasPrefix(strings.TrimSpace(code), "- ")
		switch {
		case strings.TrimSpace(code) == "":
			continue
		case indent >= 0 && (depth > indent || depth == indent && item):
			blocks[len(blocks)-1].text += code + "\n"
			continue
		}
		indent = -1
		isPaths := pathsLine().MatchString(code)
		if isPaths {
			indent = depth
		}
		if isPaths || len(blocks) == 0 || jobLine().MatchString(code) || stepLine().MatchString(code) {
			blocks = append(blocks, block{line: line, text: code + "\n", heading: !strings.HasPrefix(code, "   ")})
			continue
		}
		blocks[len(blocks)-1].text += code + "\n"
	}
	return blocks
}

// makefile splits a makefile into rules and variables, one block for each.
func makefile(text string) []block {
	var blocks []block
	line, open := 0, false
	for text := range strings.Lines(text) {
		line++
		text = strings.TrimRight(text, "\r\n")
		switch {
		case strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#"):
			open = false
		case open && (strings.HasPrefix(text, "\t") || strings.HasPrefix(text, " ")), open && strings.HasSuffix(strings.TrimSpace(blocks[len(blocks)-1].text), `\`):
			blocks[len(blocks)-1].text += text + "\n"
		default:
			blocks, open = append(blocks, block{line: line, text: text + "\n", heading: true}), true
		}
	}
	return blocks
}
