//go:build !linux

package commands

import (
	"context"
	"os/exec"
)

// supervise runs cmd. When ctx or the program ends, it is killed, with the processes
// it started if the system has process groups.
func supervise(ctx context.Context, cmd *exec.Cmd, _ guard, started func()) error {
	newGroup(cmd)
	err := cmd.Start()
	started()
	if err != nil {
		return err
	}
	var status error
	ended := make(chan struct{})
	go func() {
		status = cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		killGroup(cmd)
		return status
	case <-ctx.Done():
		killGroup(cmd)
		<-ended
		return ctx.Err()
	}
}

// sweep does nothing: processes that left their group cannot be found here.
func sweep(string) []string { return nil }
