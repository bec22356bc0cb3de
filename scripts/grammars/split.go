//go:build ignore

// Splits NAME.wasm into NAME.code, the module without its data, and NAME.data, what its memory holds above
// the stack when it begins. The program unpacks both at the same time, and wazero hashes only the code.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"
)

const (
	header      = 8 // of a module: its magic number and version
	dataSection = 11
	stack       = 1 << 20 // the option stack-size of grammars.sh
)

func main() {
	module, err := os.ReadFile(os.Args[1])
	check(err)
	ctx := context.Background()
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize")
	begun, err := wazero.NewRuntime(ctx).InstantiateWithConfig(ctx, module, config)
	check(err)
	data, _ := begun.Memory().Read(stack, begun.Memory().Size()-stack)
	code := bytes.Clone(module[:header])
	for rest := module[header:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		end := 1 + n + int(size)
		if rest[0] != dataSection {
			code = append(code, rest[:end]...)
		}
		rest = rest[end:]
	}
	name := strings.TrimSuffix(os.Args[1], ".wasm")
	check(os.WriteFile(name+".code", code, 0o644))
	check(os.WriteFile(name+".data", bytes.TrimRight(data, "\x00"), 0o644))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
