// Holds one turn with the Go client of Kimi's SDK, unchanged: go-client EXECUTABLE CONFIG FOLDER. An approval is
// cancelled, then rejected, since that client reads nothing more while one is unanswered. Prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"os"
	"time"

	kimi "github.com/MoonshotAI/kimi-agent-sdk/go"
	"github.com/MoonshotAI/kimi-agent-sdk/go/wire"
)

type outcome struct {
	Said      string   `json:"said"`
	Approvals []string `json:"approvals"`
	Status    string   `json:"status"`
	Error     string   `json:"error"`
}

func main() {
	found := outcome{Approvals: []string{}}
	if err := hold(os.Args[1], os.Args[2], os.Args[3], &found); err != nil {
		found.Error = err.Error()
	}
	json.NewEncoder(os.Stdout).Encode(found)
}

func hold(executable, config, folder string, found *outcome) error {
	session, err := kimi.NewSession(
		kimi.WithExecutable(executable), kimi.WithConfigFile(config), kimi.WithWorkDir(folder))
	if err != nil {
		return err
	}
	defer session.Close()
	turn, err := session.Prompt(context.Background(), wire.NewStringContent("go"))
	if err != nil {
		return err
	}
	for step := range turn.Steps {
		for message := range step.Messages {
			switch said := message.(type) {
			case wire.ContentPart:
				found.Said += said.Text.Value
			case wire.ApprovalRequest:
				found.Approvals = append(found.Approvals, said.Action)
				go turn.Cancel()
				time.Sleep(200 * time.Millisecond)
				if err := said.Respond(wire.ApprovalRequestResponseReject); err != nil {
					return err
				}
			}
		}
	}
	found.Status = string(turn.Result().Status)
	return turn.Err()
}
