// The client of Kimi's Go SDK, driven as `askwire conformance client` asks.
// Its folder in a clone of the SDK: go/cmd/conformance.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	kimi "github.com/MoonshotAI/kimi-agent-sdk/go"
	"github.com/MoonshotAI/kimi-agent-sdk/go/wire"
)

type answer struct {
	Approve wire.ApprovalRequestResponse `json:"approve"`
	AfterMs int                          `json:"after_ms"`
}

type said struct {
	Word string `json:"word"`
}

// The tool that the suite asks for: its output is the number of its runs, and a word.
func counter(name string, after time.Duration) (kimi.Tool, error) {
	runs := 0
	return kimi.CreateTool(func(input said) (string, error) {
		time.Sleep(after)
		runs++
		if input.Word == "fail" {
			return "", errors.New("the tool was told to fail")
		}
		return fmt.Sprintf("%d %s", runs, input.Word), nil
	}, kimi.WithName(name), kimi.WithDescription("Says how often it was run, and a word."))
}

func run() error {
	answer := answer{Approve: wire.ApprovalRequestResponseReject}
	if err := json.Unmarshal([]byte(os.Getenv("ASKWIRE_CONFORMANCE_ANSWER")), &answer); err != nil {
		return err
	}
	after := time.Duration(answer.AfterMs) * time.Millisecond
	options := []kimi.Option{kimi.WithExecutable(os.Getenv("ASKWIRE_CONFORMANCE_AGENT"))}
	if name := os.Getenv("ASKWIRE_CONFORMANCE_TOOL"); name != "" {
		tool, err := counter(name, after)
		if err != nil {
			return err
		}
		options = append(options, kimi.WithTools(tool))
	}
	session, err := kimi.NewSession(options...)
	if err != nil {
		return err
	}
	defer session.Close()
	prompt := wire.NewStringContent(os.Getenv("ASKWIRE_CONFORMANCE_PROMPT"))
	turn, err := session.Prompt(context.Background(), prompt)
	if err != nil {
		return err
	}
	for step := range turn.Steps {
		for message := range step.Messages {
			if request, ok := message.(wire.ApprovalRequest); ok {
				time.Sleep(after)
				if err := request.Respond(answer.Approve); err != nil {
					return err
				}
			}
		}
	}
	return turn.Err()
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
