"""Runs a correct program beside this file whose messages are changed on their way: a program with one fault.

    python3 rewritten.py server '{"of": "result of prompt", "change": "status"}' --config-file …

A fault has these members:

    of      the name of a message: the type of an event or request, the method of any other, or "result of", "error of"
            and the name of a request; "nothing" stands for an id that nobody asked, "result" and "error" for any
    in      true for a message that the program reads; otherwise a message that it writes
    nth     the number of the message among those of its name, from 1; without it all of them
    where   the path of a member that the message has; others pass
    start   the number of the server among those that the check starts, from 1; without it all of them
    client  the number of the connection among those of the gateway, from 1; without it all of them, each counting alone
    connection the number of the connection that a client writes to, from 1; without it all of them
    drop    true: the message is lost
    twice   true: it comes twice
    late    true: it comes after the next message; a number: after so many
    change  the path of a member that gets another value of its type
    mangle  true: every value is another of its type, but for names and nothing
    remove  the path of a member that is missing
    set     the path of a member, and its value
    text    a text and the one in its place in every message; no other member but start and client stands beside it
    send    a message that comes right behind; a text "=path" in it stands for a value of the message

The numbers of the extended profile's events go on by one whatever is lost or added.
"""

import importlib
import json
import re
import sys
from collections import Counter


# Words of the protocol, of which one stands where the other may.
PAIRS = [
    ("approve", "reject"),
    ("finished", "cancelled"),
    ("allow", "block"),
    ("answered", "declined"),
    ("human", "system"),
    ("question", "approval"),
    ("tool_call", "hook"),
    ("interrupted", "shutdown"),
    ("unsupported", "limit"),
    ("dismissed", "discuss"),
    ("session_closed", "superseded"),
    ("protocol_error", "unattended"),
    ("idle", "running"),
    # Labels and ids of options in questions of the checks.
    ("Yes", "No"),
    ("ask-0-choice-0", "ask-0-choice-1"),
    ("ask-1-choice-0", "ask-1-choice-1"),
]
# Error codes, likewise.
CODES = [(-32000, -32603), (-32001, -32002), (-32003, -32004), (-32010, -32011), (-32012, -32014), (-32013, -32020), (-32601, -32602), (-32600, -32700)]
OPPOSITES = {one: two for pair in PAIRS + CODES for one, two in (pair, pair[::-1])}


def other(value):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (str, int)) and value in OPPOSITES:
        return OPPOSITES[value]
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return "x" + value
    if isinstance(value, list):
        return value[1:] if value else ["x"]
    if is_outcome(value):
        less = {name: inner for name, inner in value.items() if name != "reason"}
        other_status = {"status": "declined", "reason": "dismissed"} if value["status"] == "answered" else {"status": "answered"}
        return dict(less, **other_status)
    if isinstance(value, dict):
        return {} if value else {"x": 1}
    return "x"


def is_outcome(value):
    """True for how a request ended, whose status and reason belong together."""
    return isinstance(value, dict) and "status" in value and "by" in value and "at" in value


def mangled(value, key=None):
    if isinstance(value, dict):
        members = other(value) if is_outcome(value) else value
        ended = {name: members[name] for name in ("status", "reason") if members is not value and name in members}
        return {**{name: mangled(inner, name) for name, inner in members.items()}, **ended}
    if isinstance(value, list):
        return [mangled(inner, key) for inner in value]
    kept = value is None or key in ("jsonrpc", "method", "id", "type", "request_id", "tool_call_id", "seq", "state")
    return value if kept else other(value)


def holder(message, path):
    """The object or array that holds the last step of a path, and that step. None where there is no such place."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        try:
            message = message[step]
        except (KeyError, IndexError, TypeError):
            return None, last
    return (message, last) if isinstance(message, (dict, list)) else (None, last)


def has(inside, last):
    if isinstance(inside, list):
        return isinstance(last, int) and last < len(inside)
    return inside is not None and last in inside


def filled(part, message):
    """A message to send, with the values of another in it."""
    if isinstance(part, dict):
        return {key: filled(value, message) for key, value in part.items()}
    if isinstance(part, list):
        return [filled(value, message) for value in part]
    if isinstance(part, str) and part.startswith("="):
        inside, last = holder(message, part[1:])
        return inside[last] if has(inside, last) else None
    return part


class Numbers:
    """The numbers of the events on one connection, without holes."""

    def __init__(self):
        self.last = None
        # The difference between the numbers that are sent and those of the program.
        self.shift = 0

    def pass_by(self, message):
        """Looks at a message of the program, and gives it its number."""
        params, result = message.get("params"), message.get("result")
        session = result.get("session") if isinstance(result, dict) else None
        if isinstance(session, dict) and isinstance(session.get("seq"), int):
            session["seq"] += self.shift
            self.last = session["seq"]
        if isinstance(params, dict) and isinstance(params.get("seq"), int):
            params["seq"] += self.shift
            self.last = params["seq"]

    def lose(self, message):
        if self.numbered(message):
            self.shift -= 1
            self.last -= 1

    def add(self, message):
        """Numbers a message that the program did not send there."""
        if self.last is not None:
            self.shift += 1
            self.last += 1
            message["params"] = dict(message["params"], seq=self.last)

    @staticmethod
    def numbered(message):
        params = message.get("params")
        return isinstance(params, dict) and isinstance(params.get("seq"), int) and message.get("method") != "alive"


class Way:
    """Messages in one direction."""

    def __init__(self, fault, asked, other_asked, numbers=None):
        self.fault = fault
        self.numbers = numbers
        # The names of requests, by id: of those that go this way, and of those that come back.
        self.asked, self.other_asked = asked, other_asked
        self.seen = Counter()
        self.held = []

    def name(self, message):
        method = message.get("method")
        if method is not None:
            params = message.get("params")
            kind = params.get("type") if isinstance(params, dict) and method in ("event", "request") else None
            name = kind if isinstance(kind, str) else str(method)
            if message.get("id") is not None:
                self.asked[str(message["id"])] = name
            return name
        part = "error" if "error" in message else "result"
        return part + " of " + self.other_asked.get(str(message.get("id")), "nothing")

    def passed(self, text):
        """The texts in the place of one."""
        try:
            message = json.loads(text)
            if self.fault and "text" in self.fault:
                text = text.replace(*self.fault["text"])
                message = json.loads(text)
        except ValueError:
            return [text]
        if not isinstance(message, dict):
            return [text]
        name = self.name(message)
        # Responses also count among all of their kind.
        names = {name, name.partition(" of ")[0]}
        self.seen.update(names)
        if self.numbers and self.numbers.shift:
            text = None
        if self.numbers:
            self.numbers.pass_by(message)
        sent = self.broken(message, text) if self.is_meant(message, names) else [(message, text)]
        due = [one for count, one in self.held if count <= 0]
        self.held = [(count - 1, one) for count, one in self.held if count > 0]
        for one in due:
            if self.numbers and Numbers.numbered(one):
                self.numbers.add(one)
            sent.append((one, None))
        return [text or json.dumps(message) for message, text in sent]

    def is_meant(self, message, names):
        fault = self.fault
        if fault is None or fault.get("of") not in names:
            return False
        if fault.get("nth", self.seen[fault["of"]]) != self.seen[fault["of"]]:
            return False
        # A client writes initialize once on each connection.
        if fault.get("connection", self.seen["initialize"]) != self.seen["initialize"]:
            return False
        return "where" not in fault or has(*holder(message, fault["where"]))

    def broken(self, message, text):
        """The messages in the place of one, each with its text where that is known."""
        fault, numbers = self.fault, self.numbers
        if fault.get("drop") or fault.get("late"):
            if numbers:
                numbers.lose(message)
            if fault.get("late"):
                self.held.append((int(fault["late"]), message))
            return []
        more = []
        if fault.get("twice"):
            more.append(json.loads(json.dumps(message)))
        if "send" in fault:
            more.append(filled(fault["send"], message))
        for one in more:
            # The session's state changes once, and a request that is sent again has no number.
            if fault.get("twice") and Numbers.numbered(one):
                one["params"].pop("state", None)
            asks = str(one.get("params", {}).get("type")).endswith("Request")
            if numbers and (Numbers.numbered(one) or one.get("method") == "event" and not asks):
                numbers.add(one)
        if fault.get("twice"):
            return [(one, None) for one in (message, *more)]
        if fault.get("mangle"):
            message = mangled(message)
        for key in ("change", "remove", "set"):
            if key in fault:
                path, *value = fault[key] if key == "set" else [fault[key]]
                inside, last = holder(message, path)
                if inside is None or key != "set" and not has(inside, last):
                    return [(message, text)]
                if key == "remove":
                    if numbers and path == "params.seq":
                        numbers.lose(message)
                    del inside[last]
                else:
                    inside[last] = value[0] if value else other(inside[last])
        return [(one, None) for one in (message, *more)]


def between(owner, name, way_of):
    """Puts a way before a method, whose last argument is the text."""
    original = getattr(owner, name)

    def passed(self, *arguments):
        for text in way_of(self).passed(arguments[-1]):
            original(self, *arguments[:-1], text)

    setattr(owner, name, passed)


def ways(fault):
    """The way out and the way in, with a fault in one of them."""
    ours, theirs = {}, {}
    reads = fault.get("in")
    return Way(None if reads else fault, ours, theirs, Numbers()), Way(fault if reads else None, theirs, ours)


def in_order(channel, ways_of):
    """Counts connections when they are opened, also those that say nothing."""
    original = channel.__init__

    def opened(self, *arguments):
        original(self, *arguments)
        ways_of(self)

    channel.__init__ = opened


def start_of(arguments):
    """The number of this server, which the suite says by the folder of its configuration."""
    number = re.search(r"server-(\d+)", " ".join(arguments))
    return int(number.group(1)) if number else 1


def main(kind, fault, arguments):
    program = importlib.import_module(kind)
    if fault.get("start", start_of(arguments)) != start_of(arguments):
        fault = {}
    if kind == "client":
        way_out, way_in = ways(fault)
        for channel in (program.Agent, program.WebSocket):
            between(channel, "send", lambda _: way_out)
        between(program.Client, "on_text", lambda _: way_in)
        sys.argv[1:] = arguments
        sys.exit(program.main())
    known = {}

    def ways_of(connection):
        if connection not in known:
            meant = fault.get("client", len(known) + 1) == len(known) + 1
            known[connection] = ways(fault if meant else {})
        return known[connection]

    channel = program.Stdio if kind == "server" else program.Socket
    if kind == "gateway":
        in_order(channel, ways_of)
    between(channel, "write", lambda connection: ways_of(connection)[0])
    between(program.Connection, "receive", lambda connection: ways_of(connection)[1])
    program.main(arguments)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:])
