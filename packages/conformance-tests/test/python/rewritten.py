"""Runs a correct program beside this file whose messages are changed on their way: a program with one fault.

    python3 rewritten.py server '{"of": "result of prompt", "change": "status"}' --config-file …

A fault has these members:

    of      the name of a message: the type of an event or request, the method of any other, or "result of", "error of"
            and the name of a request; "nothing" stands for an id that nobody asked, "result" and "error" for any
    in      true for a message that the program reads; otherwise a message that it writes
    nth     the number of the message among those of its name, from 1; without it all of them
    where   the path of a member that the message has; others pass
    start   the number of the server among those that the check starts, from 1; without it all of them
    drop    true: the message is lost
    twice   true: it comes twice
    late    true: it comes after the next message
    change  the path of a member that gets another value of its type
    mangle  true: every value is another of its type, but for names and nothing
    remove  the path of a member that is missing
    set     the path of a member, and its value
    send    a message that comes right behind
"""

import importlib
import json
import re
import sys
from collections import Counter


# Words of the protocol, of which one stands where the other may.
PAIRS = [("approve", "reject"), ("finished", "cancelled"), ("allow", "block"), ("answered", "declined"), ("human", "system")]
OPPOSITES = {one: two for pair in PAIRS for one, two in (pair, pair[::-1])}


def other(value):
    """Another value of the same type."""
    if isinstance(value, str) and value in OPPOSITES:
        return OPPOSITES[value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return "x" + value
    if isinstance(value, list):
        return value[1:] if value else ["x"]
    if isinstance(value, dict):
        return {} if value else {"x": 1}
    return "x"


def mangled(value, key=None):
    if isinstance(value, dict):
        return {name: mangled(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [mangled(inner, key) for inner in value]
    kept = value is None or key in ("jsonrpc", "method", "id", "type", "request_id", "tool_call_id")
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


class Way:
    """Messages in one direction."""

    def __init__(self, fault, asked, other_asked):
        self.fault = fault
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
        except ValueError:
            return [text]
        if not isinstance(message, dict):
            return [text]
        name = self.name(message)
        # Responses also count among all of their kind.
        names = {name, name.partition(" of ")[0]}
        self.seen.update(names)
        fault, held = self.fault, self.held
        self.held = []
        named = fault is not None and fault.get("of") in names
        if not named or fault.get("nth", self.seen[fault["of"]]) != self.seen[fault["of"]]:
            return [text, *held]
        if "where" in fault and not has(*holder(message, fault["where"])):
            return [text, *held]
        return [*self.broken(message, text), *held]

    def broken(self, message, text):
        fault = self.fault
        if fault.get("drop"):
            return []
        if fault.get("twice"):
            return [text, text]
        if fault.get("late"):
            self.held = [text]
            return []
        if fault.get("mangle"):
            message = mangled(message)
        for key in ("change", "remove", "set"):
            if key in fault:
                path, *value = fault[key] if key == "set" else [fault[key]]
                inside, last = holder(message, path)
                if inside is None or key != "set" and not has(inside, last):
                    return [text]
                if key == "remove":
                    del inside[last]
                else:
                    inside[last] = value[0] if value else other(inside[last])
        more = [fault["send"]] if "send" in fault else []
        return [json.dumps(one) for one in (message, *more)]


def between(owner, name, way):
    """Puts a way before a method, whose last argument is the text."""
    original = getattr(owner, name)

    def passed(self, *arguments):
        for text in way.passed(arguments[-1]):
            original(self, *arguments[:-1], text)

    setattr(owner, name, passed)


def start_of(arguments):
    """The number of this server, which the suite says by the folder of its configuration."""
    number = re.search(r"server-(\d+)", " ".join(arguments))
    return int(number.group(1)) if number else 1


def main(kind, fault, arguments):
    program = importlib.import_module(kind)
    if fault.get("start", start_of(arguments)) != start_of(arguments):
        fault = {}
    ours, theirs = {}, {}
    way_out = Way(None if fault.get("in") else fault, ours, theirs)
    way_in = Way(fault if fault.get("in") else None, theirs, ours)
    if kind == "client":
        for channel in (program.Agent, program.WebSocket):
            between(channel, "send", way_out)
        between(program.Client, "on_text", way_in)
        sys.argv[1:] = arguments
        sys.exit(program.main())
    between(program.Stdio if kind == "server" else program.Socket, "write", way_out)
    between(program.Connection, "receive", way_in)
    program.main(arguments)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:])
