"""A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.

The standard library is all it needs. `Person` stands for your user interface; the conformance suite says what the
person answers, by variables.
"""

import json
import os
import queue
import re
import subprocess
import sys
import threading

INITIALIZE_SECONDS = 8
CLOSE_SECONDS = 1


class Person:
    """Put your user interface here. An answer may come at any time, on any thread."""

    def __init__(self, words):
        self.words = words

    def show(self, text):
        print(text, flush=True)

    def ask(self, payload, answer):
        """Calls `answer` with what the person says to a question or an approval."""
        said = {"answers": self.answers(payload["questions"])} if "questions" in payload else self.approval()
        timer = threading.Timer(self.words.get("after_ms", 0) / 1000, answer, [said])
        timer.daemon = True
        timer.start()

    def answers(self, questions):
        """Answers by the texts of the questions. What the person leaves out is not among them."""
        answers = {}
        for question, labels in zip(questions, self.words.get("choose", [])):
            values = [option["label"] for option in question.get("options", []) if option["label"] in labels]
            if question is questions[0] and "own_text" in self.words:
                values.append(self.words["own_text"])
            if values:
                answers[question["question"]] = ", ".join(values)
        return {} if self.words.get("dismiss") else answers

    def approval(self):
        """One of approve, approve_for_session and reject; and with a rejection, words to the agent."""
        response = self.words.get("approve", "reject")
        return {"response": response, "feedback": self.words.get("own_text", "") if response == "reject" else ""}


class Client:
    """A conversation with an agent, over its standard streams. Threads hand it their news through `news`."""

    def __init__(self, command, person):
        environment = {name: value for name, value in os.environ.items() if name != "DEBUG"}
        pipe = subprocess.PIPE
        self.agent = subprocess.Popen([*command, "--wire"], stdin=pipe, stdout=pipe, env=environment)
        self.person = person
        self.calls = 0
        self.open = {}  # The requests before the person, by the id in their payload.
        self.news = queue.Queue()  # Lines of the agent, None at their end, and functions to run.
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.agent.stdout:
            self.news.put(line)
        self.news.put(None)

    def initialize(self):
        patience = threading.Timer(INITIALIZE_SECONDS, self.agent.kill)
        patience.start()
        about = {"name": "my-client", "version": "0.1.0"}
        capabilities = {"supports_question": True}
        try:
            response = self.call("initialize", protocol_version="1.10", client=about, capabilities=capabilities)
        finally:
            patience.cancel()
        is_older = "error" in response and response["error"].get("code") == -32601
        members = ("protocol_version", "server", "slash_commands")
        if not is_older and not all(name in (response.get("result") or {}) for name in members):
            raise ConnectionError(f"the agent does not introduce itself: {response}")

    def call(self, method, **params):
        """Sends a request, takes everything up to its response, and returns that."""
        self.calls += 1
        wire_id = f"c{self.calls}"
        self.send({"id": wire_id, "method": method, "params": params})
        while (news := self.news.get()) is not None:
            if callable(news):
                news()
                continue
            message = read(news)
            if "method" in message:
                self.receive(message)
            elif message.get("id") == wire_id and ("result" in message or isinstance(message.get("error"), dict)):
                return message
        raise ConnectionError("the agent has ended")

    def receive(self, message):
        """Takes an event or a request. Only a request has an answer."""
        params = message.get("params")
        kind, payload = (params.get("type"), params.get("payload")) if isinstance(params, dict) else (None, None)
        wire_id = message.get("id")
        if message["method"] == "event":
            self.on_event(kind, payload if isinstance(payload, dict) else {})
        elif wire_id is None:
            pass
        elif message["method"] != "request" or isinstance(kind, str) and kind not in REQUESTS:
            self.refuse(wire_id, -32601, "there is no such method or type")
        elif not isinstance(kind, str) or not fits(kind, payload):
            self.refuse(wire_id, -32602, "the request does not fit")
        else:
            # The id of the payload goes into the answer, and that of the message around it.
            request_id = payload["id"]
            self.open[request_id] = (wire_id, payload)
            self.person.ask(payload, lambda said: self.news.put(lambda: self.answer(request_id, said)))

    def on_event(self, kind, payload):
        """Shows what the agent says. A request that was settled elsewhere is not answered any more."""
        if kind == "ContentPart" and payload.get("type") == "text":
            self.person.show(payload.get("text"))
        if kind == "TurnEnd":
            self.open.clear()
        for request_id, (_, asked) in list(self.open.items()):
            by_result = kind == "ToolResult" and payload.get("tool_call_id") == asked["tool_call_id"]
            if by_result or kind in SETTLED and payload.get("request_id") == request_id:
                del self.open[request_id]

    def answer(self, request_id, said):
        if request_id in self.open:
            wire_id, _ = self.open.pop(request_id)
            self.send({"id": wire_id, "result": {"request_id": request_id, **said}})

    def refuse(self, wire_id, code, message):
        self.send({"id": wire_id, "error": {"code": code, "message": message, "data": None}})

    def send(self, message):
        """Writes a message: one JSON object on a line."""
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False)
        text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        text = re.sub("[\ud800-\udfff]", "\ufffd", text)
        try:
            self.agent.stdin.write(text.encode("utf-8") + b"\n")
            self.agent.stdin.flush()
        except OSError:
            pass  # The end of the agent's output says that it is gone.

    def close(self):
        """Ends the agent by the end of its input, then kindly, then by force."""
        try:
            self.agent.stdin.close()
        except OSError:
            pass
        for stop in (self.agent.terminate, self.agent.kill):
            try:
                return self.agent.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                stop()


# The texts in the payload of a request that the client can show, and the events after which it is settled.
REQUESTS = {
    "QuestionRequest": ("id", "tool_call_id"),
    "ApprovalRequest": ("id", "tool_call_id", "sender", "action", "description"),
}
SETTLED = ("ApprovalResponse", "ApprovalRequestResolved")


def fits(kind, payload):
    """True if everything that the client needs of a request is there."""
    try:
        texts = [payload[name] for name in REQUESTS[kind]]
        for question in payload["questions"] if kind == "QuestionRequest" else []:
            texts += [question["question"], *(option["label"] for option in question.get("options", []))]
    except (TypeError, KeyError, AttributeError):
        return False
    return all(isinstance(text, str) for text in texts)


def read(line):
    """The JSON object of a line. Anything else is passed over."""
    try:
        message = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def main():
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    variables = os.environ
    arguments = json.loads(variables.get("ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS", "[]"))
    person = Person(json.loads(variables.get("ASKWIRE_CONFORMANCE_ANSWER", "{}")))
    client = Client([variables["ASKWIRE_CONFORMANCE_AGENT"], *arguments], person)
    try:
        client.initialize()
        response = client.call("prompt", user_input=variables["ASKWIRE_CONFORMANCE_PROMPT"])
        if "error" in response:
            print(f"client: the turn failed: {response['error'].get('message')}", file=sys.stderr)
    except ConnectionError as error:
        print(f"client: {error}", file=sys.stderr)
    finally:
        client.close()


main()
