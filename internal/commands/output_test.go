package commands_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestOutputEnds keeps both ends of what is written, however it comes.
func TestOutputEnds(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		var parts [][]byte
		var whole []byte
		for i := range rapid.IntRange(0, 8).Draw(t, "parts") {
			part := make([]byte, rapid.SampledFrom([]int{0, 1, 7, 4096, commands.OutputEnds - 1, commands.OutputEnds, 2*commands.OutputEnds + 3}).Draw(t, "size"))
			for j := range part {
				part[j] = byte(i*31 + j%251)
			}
			parts = append(parts, part)
			whole = append(whole, part...)
		}
		want := whole
		if over := len(whole) - 2*commands.OutputEnds; over > 0 {
			want = bytes.Join([][]byte{
				whole[:commands.OutputEnds], fmt.Appendf(nil, "\n… %d bytes omitted …\n", over), whole[len(whole)-commands.OutputEnds:],
			}, nil)
		}
		if got := commands.Kept(parts...); !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, want %d", len(got), len(want))
		}
	})
}
