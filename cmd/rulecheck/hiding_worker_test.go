package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"
)

// checksCommand runs checks without starting a process for each: it reads one
// request in each line of standard input and writes its reply.
func checksCommand() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var request struct {
			Dir, Stdin string
			Args, Env  []string
		}
		if in.Decode(&request) != nil {
			return
		}
		os.Clearenv()
		for _, kv := range request.Env {
			name, value, _ := strings.Cut(kv, "=")
			os.Setenv(name, value)
		}
		if err := os.Chdir(request.Dir); err != nil { // nothing can run there
			if err := out.Encode(workerReply{Status: statusNotEvaluated, Stderr: err.Error()}); err != nil {
				return
			}
			continue
		}
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		p := &process{args: request.Args, env: request.Env, stdin: strings.NewReader(request.Stdin), stdout: &stdout, stderr: &stderr}
		status := p.run(ctx)
		cancel()
		reply := workerReply{Status: status, Stdout: stdout.Bytes(), Stderr: stderr.String()}
		if err := out.Encode(reply); err != nil {
			return
		}
	}
}

// workerReply is the result of one run of a worker.
type workerReply struct {
	Status int
	Stdout []byte
	Stderr string
}
