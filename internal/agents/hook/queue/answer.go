package queue

import (
	"crypto/sha256"
	"encoding/hex"
)

// Answer identifies an answer of an agent without its text.
type Answer struct {
	Length int    `json:"length"` // in bytes
	Digest string `json:"digest"`
}

func answerOf(text string) *Answer {
	digest := sha256.Sum256([]byte(text))
	return &Answer{len(text), hex.EncodeToString(digest[:])}
}

// fresh returns what an answer adds to the one before the last block. Some agents repeat
// all their text since the prompt, and a promise counts once.
func (s Session) fresh(answer string) string {
	if s.Answer == nil || s.Answer.Length < 0 || s.Answer.Length >= len(answer) {
		return answer
	}
	if before := answer[:s.Answer.Length]; *answerOf(before) == *s.Answer {
		return answer[s.Answer.Length:]
	}
	return answer
}
