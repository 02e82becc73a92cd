// A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.
//
// The standard library is all it needs. Person stands for your user interface; the conformance suite says what the
// person answers, by variables.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	initializeTime = 8 * time.Second
	closeTime      = time.Second
)

type object = map[string]any

// Person answers. Put your user interface here.
type Person struct {
	Choose  [][]string `json:"choose"`
	OwnText *string    `json:"own_text"`
	Dismiss bool       `json:"dismiss"`
	Approve string     `json:"approve"`
	AfterMs int        `json:"after_ms"`
}

// Ask calls answer with the result of a request, without its request_id: at any time, from any goroutine.
func (p Person) Ask(r Request, answer func(object)) {
	said := object{"answers": p.answers(r.Questions)}
	if r.Questions == nil {
		said = object{"response": p.Approve, "feedback": ""}
		if p.Approve == "reject" && p.OwnText != nil {
			said["feedback"] = *p.OwnText
		}
	}
	time.AfterFunc(time.Duration(p.AfterMs)*time.Millisecond, func() { answer(said) })
}

// answers are by the texts of the questions. What the person leaves out is not among them.
func (p Person) answers(questions []Question) map[string]string {
	answers := map[string]string{}
	for i, question := range questions {
		var values []string
		for _, option := range question.Options {
			if i < len(p.Choose) && slices.Contains(p.Choose[i], *option.Label) {
				values = append(values, *option.Label)
			}
		}
		if i == 0 && p.OwnText != nil {
			values = append(values, *p.OwnText)
		}
		if len(values) > 0 && !p.Dismiss {
			answers[*question.Question] = strings.Join(values, ", ")
		}
	}
	return answers
}

// Message is all that a line can be: a request, a notification, a response or an error.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Request is the payload of a question or an approval. A nil text was missing.
type Request struct {
	ID          *string    `json:"id"`
	ToolCallID  *string    `json:"tool_call_id"`
	Questions   []Question `json:"questions"`
	Sender      *string    `json:"sender"`
	Action      *string    `json:"action"`
	Description *string    `json:"description"`
	wireID      json.RawMessage
}

type Question struct {
	Question *string `json:"question"`
	Options  []struct {
		Label *string `json:"label"`
	} `json:"options"`
}

// fits is true if everything that the client needs is there.
func (r Request) fits(kind string) bool {
	texts := []*string{r.ID, r.ToolCallID}
	if kind == "ApprovalRequest" {
		texts = append(texts, r.Sender, r.Action, r.Description)
	}
	for _, question := range r.Questions {
		texts = append(texts, question.Question)
		for _, option := range question.Options {
			texts = append(texts, option.Label)
		}
	}
	return (kind == "ApprovalRequest" || len(r.Questions) > 0) && !slices.Contains(texts, nil)
}

// Client is a conversation with an agent, over its standard streams.
type Client struct {
	agent  *exec.Cmd
	input  io.WriteCloser
	lines  chan []byte
	said   chan func()
	person Person
	open   map[string]Request // The requests before the person, by the id of their payload.
	calls  int
}

var errEnded = errors.New("the agent has ended")

func start(command []string, person Person) (*Client, error) {
	agent := exec.Command(command[0], append(command[1:], "--wire")...)
	agent.Env = slices.DeleteFunc(os.Environ(), func(one string) bool { return strings.HasPrefix(one, "DEBUG=") })
	agent.Stderr = os.Stderr
	input, _ := agent.StdinPipe()
	output, _ := agent.StdoutPipe()
	c := &Client{agent: agent, input: input, person: person, open: map[string]Request{}}
	c.lines, c.said = make(chan []byte), make(chan func())
	if err := agent.Start(); err != nil {
		return nil, err
	}
	go func() {
		reader := bufio.NewReader(output)
		for {
			line, err := reader.ReadBytes('\n')
			c.lines <- line
			if err != nil {
				close(c.lines)
				return
			}
		}
	}()
	return c, nil
}

// initialize introduces the client. An agent that does not know the method (-32601) is older, and used without.
func (c *Client) initialize() error {
	patience := time.AfterFunc(initializeTime, func() { c.agent.Process.Kill() })
	defer patience.Stop()
	response, err := c.call("initialize", object{
		"protocol_version": "1.10",
		"client":           object{"name": "my-client", "version": "0.1.0"},
		"capabilities":     object{"supports_question": true},
	})
	if err != nil || response.Error != nil && response.Error.Code == -32601 {
		return err
	}
	var result map[string]json.RawMessage
	json.Unmarshal(response.Result, &result)
	for _, name := range []string{"protocol_version", "server", "slash_commands"} {
		if result[name] == nil {
			return fmt.Errorf("the result of initialize has no %s", name)
		}
	}
	return nil
}

// call sends a request, takes everything up to its response, and returns that.
func (c *Client) call(method string, params object) (Message, error) {
	c.calls++
	id := fmt.Sprintf("c%d", c.calls)
	c.send(object{"id": id, "method": method, "params": params})
	for {
		select {
		case answer := <-c.said:
			answer()
		case line, ok := <-c.lines:
			if !ok {
				return Message{}, errEnded
			}
			var message Message
			if json.Unmarshal(line, &message) != nil {
				continue // Anything but a message is passed over.
			}
			if message.Method != nil {
				c.receive(message)
			} else if string(message.ID) == `"`+id+`"` && (message.Result != nil || message.Error != nil) {
				return message, nil
			}
		}
	}
}

// receive takes an event or a request. Only a request has an answer.
func (c *Client) receive(message Message) {
	var params struct {
		Type    *string         `json:"type"`
		Payload json.RawMessage `json:"payload"`
	}
	isWhole := json.Unmarshal(message.Params, &params) == nil && params.Type != nil
	isRequest := message.ID != nil && string(message.ID) != "null"
	var request Request
	switch {
	case *message.Method == "event":
		if isWhole {
			c.onEvent(*params.Type, params.Payload)
		}
	case !isRequest:
	case *message.Method != "request",
		isWhole && *params.Type != "QuestionRequest" && *params.Type != "ApprovalRequest":
		c.refuse(message.ID, -32601, "there is no such method or type")
	case !isWhole || json.Unmarshal(params.Payload, &request) != nil || !request.fits(*params.Type):
		c.refuse(message.ID, -32602, "the request does not fit")
	default:
		request.wireID = message.ID
		c.open[*request.ID] = request
		c.person.Ask(request, func(said object) { c.said <- func() { c.answer(*request.ID, said) } })
	}
}

// onEvent shows what the agent says. A request that was settled elsewhere is not answered any more.
func (c *Client) onEvent(kind string, payload json.RawMessage) {
	var event struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		ToolCallID string `json:"tool_call_id"`
		RequestID  string `json:"request_id"`
	}
	if json.Unmarshal(payload, &event) != nil {
		return
	}
	switch kind {
	case "ContentPart":
		if event.Type == "text" {
			fmt.Println(event.Text)
		}
	case "ToolResult":
		for id, request := range c.open {
			if *request.ToolCallID == event.ToolCallID {
				delete(c.open, id)
			}
		}
	case "ApprovalResponse", "ApprovalRequestResolved":
		delete(c.open, event.RequestID)
	case "TurnEnd":
		clear(c.open)
	}
}

// answer is sent once. The id of the payload goes into it, and that of the message around it.
func (c *Client) answer(id string, said object) {
	if request, isOpen := c.open[id]; isOpen {
		delete(c.open, id)
		said["request_id"] = id
		c.send(object{"id": request.wireID, "result": said})
	}
}

func (c *Client) refuse(id json.RawMessage, code int, message string) {
	c.send(object{"id": id, "error": object{"code": code, "message": message, "data": nil}})
}

// send writes a message: one JSON object on a line. The end of the agent's output says when it is gone.
func (c *Client) send(message object) {
	message["jsonrpc"] = "2.0"
	line, _ := json.Marshal(message)
	c.input.Write(append(line, '\n'))
}

// close ends the agent by the end of its input, then kindly, then by force.
func (c *Client) close() {
	c.input.Close()
	go func() {
		for range c.lines {
		}
	}()
	kindly := time.AfterFunc(closeTime, func() { c.agent.Process.Signal(syscall.SIGTERM) })
	force := time.AfterFunc(2*closeTime, func() { c.agent.Process.Kill() })
	c.agent.Wait()
	kindly.Stop()
	force.Stop()
}

func run() error {
	command := []string{os.Getenv("ASKWIRE_CONFORMANCE_AGENT")}
	var words []string
	json.Unmarshal([]byte(os.Getenv("ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS")), &words)
	person := Person{Approve: "reject"}
	json.Unmarshal([]byte(os.Getenv("ASKWIRE_CONFORMANCE_ANSWER")), &person)
	client, err := start(append(command, words...), person)
	if err != nil {
		return err
	}
	defer client.close()
	if err := client.initialize(); err != nil {
		return err
	}
	response, err := client.call("prompt", object{"user_input": os.Getenv("ASKWIRE_CONFORMANCE_PROMPT")})
	if err == nil && response.Error != nil {
		return fmt.Errorf("the turn failed: %s", response.Error.Message)
	}
	return err
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
	}
}
