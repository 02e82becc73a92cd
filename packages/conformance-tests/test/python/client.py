"""A client of both profiles, written from docs/protocol.md, docs/messages.md and docs/conformance.md alone.

It drives one turn as "A client" of docs/conformance.md says: it launches the agent or connects to the address in its
first argument, sends the prompt, answers whatever it is asked, and ends. Only the standard library is used.
"""

import base64
import hashlib
import heapq
import itertools
import json
import os
import queue
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import uuid
from urllib.parse import urlsplit

PROTOCOL_VERSION = "1.10"
REVISION = 3
INBOUND_BYTES = 33_554_432
OUTBOUND_LENGTH = 16_777_216
NESTING = 64
UNANSWERED_REQUESTS = 10_000
INITIALIZE_SECONDS = 4
CLOSE_SECONDS = 1
SILENCE_SECONDS = 40
FINAL_CLOSES = (1000, 4401, 4404, 4409)


class Failed(Exception):
    """An end of the conversation that is a failure, in words for a person."""


def log(text):
    print(f"client: {text}", file=sys.stderr, flush=True)


# Messages ------------------------------------------------------------------------------------------------------------


def encode(message):
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def decode(text):
    """One object, or None for anything else."""
    try:
        message = json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def depth(value):
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return 0
    return 1 + max(map(depth, value), default=0)


def is_text(value):
    return isinstance(value, str)


def is_bool(value):
    return isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_object(value):
    return isinstance(value, dict)


def is_id_or_null(value):
    return value is None or isinstance(value, str)


def list_of(check):
    return lambda value: isinstance(value, list) and all(map(check, value))


def shape(required, optional):
    """Checks an object by its required and its optional members. Members without a name here are ignored."""

    def check(value):
        if not isinstance(value, dict):
            return False
        if not all(name in value and test(value[name]) for name, test in required.items()):
            return False
        return all(test(value[name]) for name, test in optional.items() if name in value)

    return check


OPTION = shape({"label": is_text}, {"description": is_text, "id": is_text})
QUESTION = shape(
    {"question": lambda value: is_text(value) and value.strip() != ""},
    {
        "header": is_text,
        "options": list_of(OPTION),
        "multi_select": is_bool,
        "body": is_text,
        "other_label": is_text,
        "other_description": is_text,
        "id": is_text,
        "own_text": is_bool,
    },
)
PAYLOADS = {
    "QuestionRequest": shape(
        {
            "id": is_text,
            "tool_call_id": is_text,
            "questions": lambda value: list_of(QUESTION)(value) and len(value) > 0,
        },
        {},
    ),
    "ApprovalRequest": shape(
        {
            "id": is_text,
            "tool_call_id": is_text,
            "sender": is_text,
            "action": is_text,
            "description": is_text,
        },
        {"display": list_of(shape({"type": is_text}, {}))},
    ),
    "ToolCallRequest": shape(
        {"id": is_text, "name": is_text}, {"arguments": is_id_or_null, "request_id": is_text}
    ),
    "HookRequest": shape(
        {
            "id": is_text,
            "subscription_id": is_text,
            "event": is_text,
            "target": is_text,
            "input_data": is_object,
        },
        {"request_id": is_text},
    ),
}
INITIALIZE_RESULT = shape(
    {
        "protocol_version": is_text,
        "server": shape({"name": is_text, "version": is_text}, {}),
        "slash_commands": lambda value: isinstance(value, list),
    },
    {},
)


# The loop ------------------------------------------------------------------------------------------------------------


class Loop:
    """Hands on what threads bring, one after the other, and calls what is due."""

    def __init__(self):
        self.incoming = queue.Queue()
        self.timers = []
        self.order = itertools.count()

    def later(self, seconds, action):
        timer = [time.monotonic() + seconds, next(self.order), action]
        heapq.heappush(self.timers, timer)
        return timer

    @staticmethod
    def forget(timer):
        if timer is not None:
            timer[2] = None

    def step(self):
        wait = None
        if self.timers:
            wait = max(0, self.timers[0][0] - time.monotonic())
        try:
            action = self.incoming.get(timeout=wait)
        except queue.Empty:
            action = heapq.heappop(self.timers)[2]
        if action is not None:
            action()


# Channels ------------------------------------------------------------------------------------------------------------


class Agent:
    """The agent as a process: one message on a line."""

    reopens = False

    def __init__(self, loop, file, on_text, on_end):
        environment = {name: value for name, value in os.environ.items() if name != "DEBUG"}
        self.process = subprocess.Popen(
            [file, "--wire", "--work-dir", os.getcwd()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            bufsize=0,
        )
        self.loop = loop
        self.on_text = on_text
        self.on_end = on_end
        self.outgoing = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.write, daemon=True).start()

    def read(self):
        parts, length = [], 0
        while True:
            chunk = os.read(self.process.stdout.fileno(), 1_048_576)
            *lines, rest = chunk.split(b"\n")
            for end in lines:
                if length + len(end) <= INBOUND_BYTES:
                    self.hand_on(b"".join([*parts, end]))
                parts, length = [], 0
            length += len(rest)
            # Of a line over the limit nothing is kept.
            parts = [*parts, rest] if length <= INBOUND_BYTES else []
            if not chunk:
                break
        if 0 < length <= INBOUND_BYTES:
            self.hand_on(b"".join(parts))
        self.loop.incoming.put(lambda: self.on_end(self, None))

    def hand_on(self, line):
        self.loop.incoming.put(lambda: self.on_text(self, line.decode("utf-8", "replace")))

    def write(self):
        try:
            while True:
                line = self.outgoing.get()
                if line is None:
                    break
                view = memoryview(line)
                while len(view) > 0:
                    view = view[self.process.stdin.write(view) :]
            self.process.stdin.close()
        except OSError:
            pass

    def send(self, text):
        self.outgoing.put(text.encode("utf-8") + b"\n")

    def close(self, code=1000):
        """The end of its input, then SIGTERM, then SIGKILL."""
        self.outgoing.put(None)
        for number in (signal.SIGTERM, signal.SIGKILL, None):
            try:
                self.process.wait(CLOSE_SECONDS)
                return
            except subprocess.TimeoutExpired:
                if number is not None:
                    self.process.send_signal(number)


class WebSocket:
    """A WebSocket: one message in a text message."""

    reopens = True

    def __init__(self, loop, address, on_text, on_end):
        parts = urlsplit(address)
        self.loop = loop
        self.on_text = on_text
        self.on_end = on_end
        self.sending = threading.Lock()
        self.closed = False
        try:
            self.socket = socket.create_connection((parts.hostname, parts.port or 80), timeout=INITIALIZE_SECONDS)
        except OSError as error:
            raise Failed(f"{parts.netloc} cannot be reached ({error}); is the server running?") from None
        self.rest = b""
        try:
            self.shake_hands(parts)
        except OSError as error:
            raise Failed(f"{parts.netloc} ends the connection ({error}); is it an Askwire server?") from None
        self.socket.settimeout(None)
        threading.Thread(target=self.read, daemon=True).start()

    def shake_hands(self, parts):
        key = base64.b64encode(os.urandom(16)).decode()
        path = parts.path or "/"
        query = f"?{parts.query}" if parts.query else ""
        lines = [
            f"GET {path}{query} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Authorization: Bearer {parts.fragment}",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            if len(self.rest) > 65_536:
                raise Failed(f"{parts.netloc} is no WebSocket; check the address")
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        first, *fields = head.decode("latin-1").split("\r\n")
        status = first.split(" ")[1:2]
        if status != ["101"]:
            raise Failed(f"{parts.netloc} refuses the connection ({first}); check the address and its token")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in fields)}
        magic = f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(magic.encode()).digest()).decode()
        if headers.get("sec-websocket-accept") != accept:
            raise Failed(f"{parts.netloc} is no WebSocket; check the address")

    def more(self):
        chunk = self.socket.recv(65_536)
        if not chunk:
            raise ConnectionError("the connection ended")
        self.rest += chunk

    def take(self, count):
        while len(self.rest) < count:
            self.more()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def read(self):
        code = None
        try:
            code = self.read_frames()
        except OSError:
            pass
        self.loop.incoming.put(lambda: self.on_end(self, code))

    def read_frames(self):
        """Hands on messages until the end, whose close code is the result."""
        message, kind = b"", None
        while True:
            first, second = self.take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.take(8))
            if length + len(message) > INBOUND_BYTES:
                self.close(1009)
                return 1009
            mask = self.take(4) if second & 0x80 else None
            body = self.take(length)
            if mask:
                body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))
            opcode = first & 0x0F
            if opcode == 8:
                code = struct.unpack(">H", body[:2])[0] if len(body) >= 2 else 1005
                self.close(code if code != 1005 else 1000)
                return code
            if opcode == 9:
                self.frame(10, body)
            if opcode > 7:
                continue
            if opcode != 0:
                message, kind = b"", opcode
            message += body
            if kind == 2:
                self.close(1003)
                return 1003
            if not first & 0x80:
                continue
            try:
                text = message.decode("utf-8")
            except UnicodeDecodeError:
                self.close(1007)
                return 1007
            message = b""
            self.hand_on(text)

    def hand_on(self, text):
        self.loop.incoming.put(lambda: self.on_text(self, text))

    def frame(self, opcode, body):
        length = len(body)
        if length < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | length)
        elif length < 65_536:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, length)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))
        try:
            with self.sending:
                self.socket.sendall(head + mask + masked)
        except OSError:
            pass

    def send(self, text):
        self.frame(1, text.encode("utf-8"))

    def close(self, code=1000):
        if self.closed:
            return
        self.closed = True
        self.frame(8, struct.pack(">H", code))
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass


# The conversation ----------------------------------------------------------------------------------------------------


class Person:
    """What the person answers, from the environment."""

    def __init__(self, words):
        self.choose = words.get("choose", [])
        self.own_text = words.get("own_text")
        self.dismiss = words.get("dismiss", False)
        self.approve = words.get("approve", "reject")
        self.reason = "dismissed"
        self.seconds = words.get("after_ms", 0) / 1_000

    @staticmethod
    def acting(act):
        """The person as one act about a request says."""
        kind = act["do"]
        words = {name: act[name] for name in ("choose", "own_text") if name in act}
        if kind in ("approve", "reject"):
            words["approve"] = act.get("response", "reject")
        if "feedback" in act:
            words["own_text"] = act["feedback"]
        person = Person({**words, "dismiss": kind in ("decline", "discuss")})
        person.reason = "discuss" if kind == "discuss" else "dismissed"
        return person

    def labels(self, index, question):
        """The chosen options of a question, by their places."""
        wanted = self.choose[index] if index < len(self.choose) else []
        options = question.get("options", [])
        return [place for place, option in enumerate(options) if option["label"] in wanted]

    def own(self, index):
        return self.own_text if index == 0 else None

    def feedback(self):
        return self.own_text if self.approve == "reject" and self.own_text is not None else ""


class Request:
    """A request of the server that waits for the person, or for the tool."""

    def __init__(self, kind, wire_id, payload, person):
        self.kind = kind
        self.person = person
        self.answer = None
        self.wire_id = wire_id
        self.payload = payload
        self.timer = None
        self.is_asked = kind != "ToolCallRequest"
        # True after an attach, until the server has sent the request again.
        self.is_again = False
        # How often an answer to it was refused.
        self.refusals = 0


class Client:
    def __init__(self, connect, prompt, person, tool, is_told=False):
        self.loop = Loop()
        self.connect = connect
        self.prompt = prompt
        self.person = person
        self.tool = tool
        # True where the person's acts come on standard input.
        self.is_told = is_told
        self.acts = {}
        self.is_replayed = False
        self.channel = None
        self.ended = False
        self.failure = None
        self.numbers = itertools.count(1)
        self.waiting = {}
        self.open = []
        self.runs = 0
        self.client_id = str(uuid.uuid4())
        self.turn_id = str(uuid.uuid4())
        self.extended = False
        self.allows_skip = False
        self.session = None
        self.last = 0
        self.target = 0
        self.is_behind = False
        self.attached = False
        self.hole = (None, 0)
        self.tries = 0
        self.alarm = None
        self.initialize_timer = None
        self.shown = {}
        self.answers = {}
        # The ids of requests that are to come again before what was said to them is sent.
        self.awaited = set()
        self.requests = {}
        self.releases = {}
        self.results = {}

    # The connection.

    def run(self):
        try:
            self.channel = self.connect(self.loop, self.on_text, self.on_end)
            self.introduce()
            if self.is_told:
                threading.Thread(target=self.read_acts, daemon=True).start()
            while not self.ended:
                self.loop.step()
        finally:
            if self.channel is not None:
                self.channel.close()
        if self.failure is not None:
            raise Failed(self.failure)

    def end(self, failure=None):
        if self.ended:
            return
        self.ended = True
        self.failure = failure
        for request in list(self.open):
            if request.kind == "ToolCallRequest":
                self.finish_tool(request, "The turn ended before the tool had.", True)

    def on_end(self, channel, code):
        if channel is not self.channel or self.ended:
            return
        if not self.extended or not channel.reopens or code in FINAL_CLOSES:
            self.open = []
            self.end(f"the connection ended ({code})")
            return
        self.reconnect()

    def reconnect(self, code=4409):
        """Gives the connection up and opens another one after a wait."""
        self.leave(code)
        longest = min(30, 0.5 * 2**self.tries)
        self.tries += 1
        self.loop.later(longest * random.uniform(0.5, 1), self.reopen)

    def reopen(self):
        try:
            self.channel = self.connect(self.loop, self.on_text, self.on_end)
        except Failed as error:
            log(error)
            self.reconnect()
            return
        self.introduce()

    def watch(self):
        """Gives up a connection on which nothing is heard."""
        self.loop.forget(self.alarm)
        if self.extended and self.channel.reopens:
            self.alarm = self.loop.later(SILENCE_SECONDS, self.reconnect)

    # What the person does.

    def read_acts(self):
        for line in sys.stdin:
            self.loop.incoming.put(lambda act=json.loads(line): self.on_act(act))

    def on_act(self, act):
        kind = act["do"]
        if kind == "prompt":
            self.prompt = act["text"]
            if self.attached:
                self.send_prompt()
        elif "request_id" in act:
            self.acts[act["request_id"]] = act
            for request in list(self.open):
                self.act_on(request)
        elif kind == "steer":
            self.call("steer", {"user_input": act["text"]}, lambda result, error: None)
        elif kind == "cancel":
            self.call("cancel", {}, lambda result, error: None)
        elif kind == "replay":
            self.is_replayed = True
            self.call("replay", {}, self.on_replayed)
        elif kind == "disconnect":
            self.leave()
        elif kind == "connect":
            self.reopen()

    def act_on(self, request):
        act = self.acts.get(request.payload["id"])
        if act is not None and request.is_asked:
            del self.acts[request.payload["id"]]
            request.person = Person.acting(act)
            request.answer(request)

    def on_replayed(self, result, error):
        self.is_replayed = False

    def leave(self, code=1000):
        """Gives the connection up."""
        self.loop.forget(self.alarm)
        self.loop.forget(self.initialize_timer)
        channel, self.channel = self.channel, None
        self.attached = False
        self.waiting = {}
        if channel is not None:
            channel.close(code)

    # Messages out.

    def send(self, message):
        if self.channel is None:
            return
        text = encode({"jsonrpc": "2.0", **message})
        if len(text.encode("utf-16-le")) // 2 > OUTBOUND_LENGTH:
            if "method" in message:
                raise Failed("a request is too long to be sent")
            error = {"code": -32603, "message": "the result is too long to be sent", "data": None}
            text = encode({"jsonrpc": "2.0", "id": message["id"], "error": error})
        self.channel.send(text)

    def call(self, method, params, done):
        name = str(next(self.numbers))
        self.waiting[name] = done
        self.send({"id": name, "method": method, "params": params})

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def reply(self, wire_id, result):
        self.send({"id": wire_id, "result": result})

    def refuse(self, wire_id, code, message, data=None):
        self.send({"id": wire_id, "error": {"code": code, "message": message, "data": data}})

    # Messages in.

    def on_text(self, channel, text):
        if channel is not self.channel or self.ended:
            return
        self.watch()
        message = decode(text)
        if message is None:
            log(f"a message is no object: {text[:100]!r}")
            return
        if message.get("jsonrpc", "2.0") != "2.0" or not is_id_or_null(message.get("id")):
            log("a message has another jsonrpc or an id that is no text")
            return
        if "method" not in message:
            self.on_response(message)
            return
        if not is_text(message["method"]) or "result" in message or "error" in message:
            log("a message is neither a request nor a response")
            return
        params = message.get("params")
        self.on_method(message["method"], message.get("id"), params if is_object(params) else {})

    def on_response(self, message):
        done = self.waiting.get(message.get("id"))
        if done is None:
            return
        if "error" in message:
            error = message["error"]
            fits = is_object(error) and is_whole(error.get("code")) and is_text(error.get("message"))
            if not fits:
                log("an error is malformed")
                return
        elif "result" in message:
            error = None
        else:
            return
        del self.waiting[message["id"]]
        done(message.get("result"), error)

    def on_method(self, method, wire_id, params):
        if method == "event":
            self.on_event(params)
        elif method == "request" and wire_id is not None:
            self.on_request(wire_id, params)
        elif wire_id is not None:
            self.refuse(wire_id, -32601, f"there is no method {method}")
        elif method == "$/cancelRequest" and self.extended:
            self.withdraw(lambda request: request.wire_id == params.get("id"))
        elif method == "alive" and self.extended and is_whole(params.get("seq")):
            if params["seq"] > self.last:
                self.on_hole(self.last + 1)

    # The handshake.

    def introduce(self):
        askwire = {"revision": REVISION, "skip": True, "client_id": self.client_id}
        params = {
            "protocol_version": PROTOCOL_VERSION,
            "client": {"name": "python-client", "version": "0.1.0"},
            "capabilities": {"supports_question": True, "supports_plan_mode": False, "askwire": askwire},
        }
        if self.tool is not None:
            params["external_tools"] = [
                {
                    "name": self.tool,
                    "description": "Says how often it was run, and a word.",
                    "parameters": {"type": "object", "properties": {"word": {"type": "string"}}},
                }
            ]
        if self.session is not None:
            params["session"] = {
                "id": self.session["id"],
                "stream": self.session["stream"],
                "after_seq": self.last,
            }
        self.initialize_timer = self.loop.later(INITIALIZE_SECONDS, self.on_no_answer)
        self.call("initialize", params, self.on_initialized)

    def on_no_answer(self):
        if self.session is not None:
            self.reconnect()
        else:
            self.end(f"initialize is not answered within {INITIALIZE_SECONDS} s")

    def on_initialized(self, result, error):
        self.loop.forget(self.initialize_timer)
        if error is not None and error["code"] != -32601:
            if self.session is not None and error["code"] not in (-32011, -32012):
                self.reconnect()
            else:
                self.end(f"initialize is refused: {error['message']}")
            return
        if error is None and not INITIALIZE_RESULT(result):
            self.end("the result of initialize lacks protocol_version, server or slash_commands")
            return
        if self.session is not None:
            self.on_attached_again(result)
            return
        if error is None:
            self.negotiate(result)
        self.attached = True
        self.send_prompt()

    def negotiate(self, result):
        capabilities = result.get("capabilities")
        askwire = capabilities.get("askwire") if is_object(capabilities) else None
        session = result.get("session")
        if not is_object(askwire) or not is_whole(askwire.get("revision")) or askwire["revision"] < 3:
            return
        if not is_object(session) or not is_text(session.get("id")) or not is_text(session.get("stream")):
            return
        self.extended = True
        self.allows_skip = askwire.get("skip") is True
        self.session = session
        self.last = session.get("seq", 0)
        self.watch()

    def on_attached_again(self, result):
        session = result.get("session")
        if not is_object(session):
            self.end("the result of initialize has no session")
            return
        is_same = session.get("stream") == self.session["stream"]
        pending = session.get("pending", [])
        for name in [name for name in self.shown if name not in pending]:
            self.take_away(name)
        for request in self.shown.values():
            request.is_again = True
        self.session = session
        self.target = session.get("seq", 0)
        if session.get("reset") is True or not is_same:
            self.last = self.target
        self.attached = True
        self.tries = 0
        is_reset = session.get("reset") is True or not is_same
        self.awaited = set(pending) if is_reset else set()
        for answer in list(self.answers.values()):
            if answer["request_id"] not in self.awaited:
                self.send_answer(answer)
        if not is_same and session.get("resumes") is not True:
            self.end("the server was started anew, and nobody knows whether the prompt ran")
            return
        self.send_prompt()
        self.caught_up()

    def caught_up(self):
        """Says again what was not replied to, once all that was missed has come."""
        self.is_behind = self.last < self.target
        if self.is_behind:
            return
        for params in list(self.releases.values()):
            self.send_release(params)

    # The turn.

    def send_prompt(self):
        if self.prompt is None:
            return
        params = {"user_input": self.prompt}
        if self.extended:
            params["turn_id"] = self.turn_id
        self.call("prompt", params, self.on_turn_over)

    def on_turn_over(self, result, error):
        self.end(None if error is None else f"the turn failed: {error['message']}")

    def on_event(self, params):
        kind, payload = params.get("type"), params.get("payload")
        if self.extended and not self.is_next(params):
            return
        if params.get("replayed") is True or not is_object(payload):
            pass
        elif self.extended:
            self.on_extended_event(kind, payload)
        elif kind == "ToolResult":
            over = payload.get("tool_call_id")
            self.withdraw(lambda request: request.is_asked and request.payload["tool_call_id"] == over)
        elif kind in ("ApprovalResponse", "ApprovalRequestResolved"):
            over = payload.get("request_id")
            self.withdraw(lambda request: request.is_asked and request.payload["id"] == over)
        if self.extended and self.attached and self.is_behind:
            self.caught_up()

    def withdraw(self, is_over):
        for request in [request for request in self.open if is_over(request)]:
            self.loop.forget(request.timer)
            self.open.remove(request)

    # Requests of the base profile.

    def on_request(self, wire_id, params):
        kind, payload = params.get("type"), params.get("payload")
        if self.extended and not self.is_next(params):
            return
        if not is_text(kind):
            self.refuse(wire_id, -32602, "params.type is no text")
            return
        if kind not in PAYLOADS:
            self.refuse(wire_id, -32601, f"{kind} is not known", {"type": kind, "reason": "unknown"})
            return
        if not PAYLOADS[kind](payload):
            self.refuse(wire_id, -32602, f"the payload of {kind} does not fit")
            return
        if len(self.open) >= UNANSWERED_REQUESTS:
            self.refuse(wire_id, -32020, "too many requests wait", {"limit": "unansweredRequests"})
            return
        if kind == "HookRequest":
            self.reply(wire_id, {"request_id": payload["id"], "action": "allow", "reason": ""})
            return
        request = Request(kind, wire_id, payload, self.person)
        if request.is_asked and self.is_replayed:
            self.refuse(wire_id, -32601, "nobody is asked in a replay")
        elif request.is_asked:
            self.ask(request, self.answer_base)
        else:
            self.on_tool_call(request)

    def ask(self, request, answer):
        self.open.append(request)
        request.answer = answer
        if self.is_told:
            self.act_on(request)
        elif self.person.seconds > 0:
            request.timer = self.loop.later(self.person.seconds, lambda: answer(request))
        else:
            answer(request)

    def answer_base(self, request):
        self.open.remove(request)
        name = request.payload["id"]
        if request.kind == "ApprovalRequest":
            words = {"response": request.person.approve, "feedback": request.person.feedback()}
            self.reply(request.wire_id, {"request_id": name, **words})
            return
        answers = {}
        for index, question in enumerate(request.payload["questions"]):
            options = question.get("options", [])
            values = [options[place]["label"] for place in request.person.labels(index, question)]
            own = request.person.own(index)
            if own is not None:
                values.append(own)
            if values and not request.person.dismiss:
                answers[question["question"]] = ", ".join(values)
        self.reply(request.wire_id, {"request_id": name, "answers": answers})

    # The tool.

    def on_tool_call(self, request):
        once = request.payload.get("request_id") if self.extended else None
        if once is not None:
            running = [one for one in self.open if one.payload.get("request_id") == once]
            if running:
                running[0].wire_id, running[0].payload = request.wire_id, request.payload
                return
            if once in self.results:
                self.send_tool_result(request, self.results[once])
                return
        self.open.append(request)
        text = request.payload.get("arguments")
        given = decode(text) if text is not None and text.strip() != "" else {}
        if request.payload["name"] != self.tool:
            self.finish_tool(request, f"There is no tool {request.payload['name']}.", True)
        elif given is None or depth(given) > NESTING:
            self.finish_tool(request, "The arguments are no JSON object, or nested too deep.", True)
        elif self.person.seconds > 0:
            request.timer = self.loop.later(self.person.seconds, lambda: self.run_tool(request, given))
        else:
            self.run_tool(request, given)

    def run_tool(self, request, given):
        self.runs += 1
        word = given.get("word", "")
        if word == "fail":
            self.finish_tool(request, "It was told to fail.", True)
        else:
            self.finish_tool(request, f"{self.runs} {word}", False)

    def finish_tool(self, request, output, is_error):
        self.loop.forget(request.timer)
        self.open.remove(request)
        value = {
            "is_error": is_error,
            "output": output,
            "message": output if is_error else "",
            "display": [],
            "extras": None,
        }
        once = request.payload.get("request_id")
        if self.extended and once is not None:
            self.results[once] = value
        self.send_tool_result(request, value)

    def send_tool_result(self, request, value):
        self.reply(request.wire_id, {"tool_call_id": request.payload["id"], "return_value": value})

    # The extended profile.

    def is_next(self, params):
        """False for a message that was there before, or after a hole."""
        seq = params.get("seq")
        if not is_whole(seq):
            return True
        if seq <= self.last:
            return False
        if seq > self.last + 1 and self.on_hole(self.last + 1):
            return False
        self.last = seq
        return True

    def on_hole(self, number):
        """True where the connection is given up for a new one."""
        at, tries = self.hole
        tries = tries + 1 if at == number else 1
        self.hole = (number, tries)
        if not self.channel.reopens or tries > 5:
            return False
        self.reconnect()
        return True

    def on_extended_event(self, kind, payload):
        if kind in ("QuestionRequest", "ApprovalRequest"):
            self.on_shown(kind, payload)
        elif kind == "InteractionSettled":
            self.take_away(payload.get("request_id"))

    def on_shown(self, kind, payload):
        name = payload.get("id")
        if not is_text(name):
            log(f"a {kind} has no id")
            return
        if not PAYLOADS[kind](payload):
            self.releases[name] = {"request_id": name, "reason": "protocol_error", "message": "it does not fit"}
            self.send_release(self.releases[name])
            return
        known = self.shown.get(name)
        if known is not None:
            if self.essence(known.payload) == self.essence(payload):
                if known.is_again:
                    known.is_again = False
                    self.notify("received", {"request_id": name})
                return
            self.take_away(name)
        if any(self.is_answered(answer, payload) for answer in list(self.answers.values())):
            return
        request = Request(kind, None, payload, self.person)
        self.show(request)

    def is_answered(self, answer, payload):
        """True if this is the answer to what the payload asks. One to something else under its id is forgotten."""
        name = payload["id"]
        if answer["request_id"] != name:
            return False
        if self.essence(self.requests[answer["answer_id"]].payload) != self.essence(payload):
            del self.answers[answer["answer_id"]]
            self.requests.pop(answer["answer_id"])
            return False
        if name in self.awaited:
            self.awaited.discard(name)
            self.send_answer(answer)
        return True

    def show(self, request):
        name = request.payload["id"]
        self.shown[name] = request
        if (self.is_told or self.person.seconds > 0) and request.refusals == 0:
            self.notify("received", {"request_id": name})
        self.ask(request, self.answer_extended)

    @staticmethod
    def essence(payload):
        return {name: value for name, value in payload.items() if name != "deadline"}

    def take_away(self, name):
        request = self.shown.pop(name, None)
        if request is not None and request in self.open:
            self.loop.forget(request.timer)
            self.open.remove(request)

    def answer_extended(self, request):
        self.open.remove(request)
        name = request.payload["id"]
        self.shown.pop(name, None)
        answer = {"request_id": name, "answer_id": str(uuid.uuid4()), "outcome": {"status": "answered"}}
        if request.kind == "ApprovalRequest":
            answer["response"] = request.person.approve
            if request.person.feedback():
                answer["feedback"] = request.person.feedback()
        else:
            items = self.items(request.payload["questions"], request.person)
            if items is None:
                answer["outcome"] = {"status": "declined", "reason": request.person.reason}
            else:
                answer["items"] = items
        self.answers[answer["answer_id"]] = answer
        self.requests[answer["answer_id"]] = request
        if self.attached:
            self.send_answer(answer)

    def items(self, questions, person):
        """An item for each question, or None where nothing is answered."""
        items = []
        for index, question in enumerate(questions):
            name = question.get("id", f"q{index + 1}")
            options = question.get("options", [])
            selected = [
                options[place].get("id", f"{name}_o{place + 1}") for place in person.labels(index, question)
            ]
            item = {"question_id": name, "selected": selected}
            own = person.own(index)
            if own is not None and question.get("own_text", True):
                item["own_text"] = own
            elif not selected:
                item["skipped"] = True
            items.append(item)
        skipped = [item for item in items if "skipped" in item]
        if person.dismiss or len(skipped) == len(items) or (skipped and not self.allows_skip):
            return None
        return items

    def send_answer(self, answer):
        def done(result, error):
            self.answers.pop(answer["answer_id"], None)
            request = self.requests.pop(answer["answer_id"], None)
            if error is None:
                # A reply with a number stands for the event.
                if self.is_next(result) and is_whole(result.get("seq")):
                    self.on_extended_event("InteractionSettled", answer)
                return
            log(f"the answer is refused: {error['message']}")
            # An answer that does not fit leaves the request open: the person is asked again.
            if error["code"] == -32013 and request is not None and request.refusals < 3:
                request.refusals += 1
                self.show(request)

        self.call("answer", answer, done)

    def send_release(self, params):
        if self.attached:
            self.call("release", params, lambda result, error: self.releases.pop(params["request_id"], None))


def main():
    address = sys.argv[1] if len(sys.argv) > 1 else ""
    agent = os.environ.get("ASKWIRE_CONFORMANCE_AGENT", "")
    person = Person(json.loads(os.environ.get("ASKWIRE_CONFORMANCE_ANSWER", "{}")))

    def connect(loop, on_text, on_end):
        if address:
            return WebSocket(loop, address, on_text, on_end)
        return Agent(loop, agent, on_text, on_end)

    is_told = os.environ.get("ASKWIRE_CONFORMANCE_ACTS") == "stdin"
    prompt = None if is_told else os.environ.get("ASKWIRE_CONFORMANCE_PROMPT", "")
    client = Client(connect, prompt, person, os.environ.get("ASKWIRE_CONFORMANCE_TOOL"), is_told)
    try:
        client.run()
    except Failed as error:
        log(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
