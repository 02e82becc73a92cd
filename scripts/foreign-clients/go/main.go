// A client of an agent over github.com/sourcegraph/jsonrpc2, unchanged, which numbers its requests 0, 1, 2.
//
// Usage: foreign-client lines|headers TURNS COMMAND [ARGUMENT...]
//
// TURNS is a JSON list. A turn has a "prompt" and the "reaction" to what is asked in it: the members of an answer, or
// "crash", or "cancel". For each turn a line is printed: {"status", "said"}.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"os/exec"

	"github.com/sourcegraph/jsonrpc2"
)

type turn struct {
	Prompt   string `json:"prompt"`
	Reaction any    `json:"reaction"`
}

type told struct {
	Type    string `json:"type"`
	Payload struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	} `json:"payload"`
}

// The streams of the agent's process as one.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// A person answers what is asked, as the turn at hand says. Events and requests come one after the other.
type person struct {
	reaction any
	said     string
	answers  jsonrpc2.Handler
}

func (p *person) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	if !req.Notif {
		go p.answers.Handle(ctx, conn, req)
		return
	}
	var event told
	if err := json.Unmarshal(*req.Params, &event); err != nil {
		log.Fatal(err)
	}
	if event.Type == "ContentPart" {
		p.said += event.Payload.Text
	}
}

func (p *person) answer(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	var asked told
	if err := json.Unmarshal(*req.Params, &asked); err != nil {
		return nil, err
	}
	switch reaction := p.reaction.(type) {
	case map[string]any:
		answer := map[string]any{"request_id": asked.Payload.ID}
		for name, value := range reaction {
			answer[name] = value
		}
		return answer, nil
	case string:
		if reaction == "cancel" {
			if err := conn.Call(ctx, "cancel", nil, nil); err != nil {
				return nil, err
			}
			<-conn.DisconnectNotify()
		}
	}
	return nil, errors.New("no window")
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		log.Fatal(err)
	}
}

func run(framing, list string, command []string) error {
	var turns []turn
	if err := json.Unmarshal([]byte(list), &turns); err != nil {
		return err
	}
	agent := exec.Command(command[0], command[1:]...)
	stdin, err := agent.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := agent.StdoutPipe()
	if err != nil {
		return err
	}
	if err := agent.Start(); err != nil {
		return err
	}
	var codec jsonrpc2.ObjectCodec = jsonrpc2.PlainObjectCodec{}
	if framing == "headers" {
		codec = jsonrpc2.VSCodeObjectCodec{}
	}
	p := &person{}
	p.answers = jsonrpc2.HandlerWithError(p.answer).SuppressErrClosed()
	ctx := context.Background()
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(pipes{stdout, stdin}, codec), p)
	introduction := map[string]any{
		"protocol_version": "1.10",
		"client":           map[string]any{"name": "sourcegraph/jsonrpc2", "version": "0.2.3"},
		"capabilities":     map[string]any{"supports_question": true},
	}
	if err := conn.Call(ctx, "initialize", introduction, nil); err != nil {
		return err
	}
	for _, turn := range turns {
		p.reaction, p.said = turn.Reaction, ""
		var result struct {
			Status string `json:"status"`
		}
		if err := conn.Call(ctx, "prompt", map[string]any{"user_input": turn.Prompt}, &result); err != nil {
			return err
		}
		line := map[string]any{"status": result.Status, "said": p.said}
		if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
			return err
		}
	}
	if err := conn.Close(); err != nil {
		return err
	}
	return agent.Wait()
}
