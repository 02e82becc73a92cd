"""A server of the wire in Python, written from docs/protocol.md, docs/messages.md and docs/conformance.md alone.

Standard library only. The model is the script of the conformance suite.
"""
import asyncio
import base64
import collections
import datetime
import fcntl
import hashlib
import json
import os
import re
import signal
import socket
import sys
import threading
import time
import uuid

VERSION = "1.10"
MAX_IN = 33554432
MAX_OUT = 16777216
NESTING = 64
HOOK_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "StopFailure",
               "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Notification"]
SINCE = {"SteerInput": (1, 5), "PlanDisplay": (1, 7), "HookTriggered": (1, 7), "HookResolved": (1, 7),
         "BtwBegin": (1, 9), "BtwEnd": (1, 9), "StepRetry": (1, 10), "Notification": (1, 10),
         "MCPLoadingBegin": (1, 10), "MCPLoadingEnd": (1, 10)}
OWN_TOOLS = ["AskUserQuestion", "WriteFile", "EnterPlanMode", "ExitPlanMode"]
STATUSES = ["answered", "declined", "expired", "withdrawn", "unavailable"]
BASE_METHODS = ["initialize", "prompt", "steer", "replay", "set_plan_mode", "cancel"]
EXTENDED_METHODS = ["answer", "touch", "release"]
SESSION_METHODS = ["list_sessions", "watch_sessions", "unwatch_sessions", "create_session", "close_session",
                   "list_requests", "watch_requests", "unwatch_requests"]
SERVER = {"name": "python-server", "version": "0.1.0"}
UNSUPPORTED = ("The connected client does not support interactive questions. Do NOT call this tool again. "
               "Ask the user directly in your text response instead.")


class Refused(Exception):
    """An error of the wire, with its code."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class ProviderFailure(Exception):
    """A failure of the scripted model's provider."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def write_json(value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def units(text):
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def no_constant(name):
    raise ValueError(name + " is no JSON")


BRACKETS = re.compile(r'"(?:[^"\\]+|\\.)*"|[\[\]{}]', re.S)


def read_json(text):
    depth = 0
    for match in BRACKETS.finditer(text):
        mark = match.group()
        if mark in "[{":
            depth += 1
            if depth > NESTING:
                raise Refused(-32600, "nested deeper than %d at character %d" % (NESTING, match.start()))
        elif mark in "]}":
            depth -= 1
    try:
        return json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise Refused(-32700, "not JSON")


def depth_of(value):
    if isinstance(value, dict):
        return 1 + max([depth_of(v) for v in value.values()] or [0])
    if isinstance(value, list):
        return 1 + max([depth_of(v) for v in value] or [0])
    return 0


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def must(condition, place):
    if not condition:
        raise Refused(-32602, place)


# JSON Schema, as far as tools of clients need it.

TYPES = {"string": lambda v: isinstance(v, str), "object": lambda v: isinstance(v, dict),
         "array": lambda v: isinstance(v, list), "boolean": lambda v: isinstance(v, bool),
         "null": lambda v: v is None, "number": lambda v: is_int(v) or isinstance(v, float),
         "integer": lambda v: is_int(v) or (isinstance(v, float) and v.is_integer())}


def check_schema(schema, root, place="#", depth=0):
    """The first fault of a schema, or None."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, dict):
        return place + ": expected a schema"
    if depth > 64:
        return place + ": too many schemas inside each other"
    for key, value in schema.items():
        at = place + "/" + key
        if key == "type":
            names = value if isinstance(value, list) else [value]
            if not names or any(not isinstance(n, str) or n not in TYPES for n in names) or len(set(names)) < len(names):
                return at + ": expected a type"
        elif key in ("properties", "patternProperties", "$defs", "dependentSchemas"):
            if not isinstance(value, dict):
                return at + ": expected an object"
            for name, inner in value.items():
                if key == "patternProperties" and not is_pattern(name):
                    return at + ": expected a regular expression"
                fault = check_schema(inner, root, at + "/" + name, depth + 1)
                if fault:
                    return fault
        elif key in ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
                     "unevaluatedItems", "unevaluatedProperties"):
            fault = check_schema(value, root, at, depth + 1)
            if fault:
                return fault
        elif key in ("anyOf", "allOf", "oneOf", "prefixItems"):
            if not isinstance(value, list) or not value:
                return at + ": expected a list of schemas"
            for index, inner in enumerate(value):
                fault = check_schema(inner, root, "%s/%d" % (at, index), depth + 1)
                if fault:
                    return fault
        elif key == "required":
            if not isinstance(value, list) or any(not isinstance(n, str) for n in value):
                return at + ": expected a list of names"
        elif key == "enum":
            if not isinstance(value, list):
                return at + ": expected a list"
        elif key in ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"):
            if not is_int(value) or value < 0:
                return at + ": expected a whole number from 0"
        elif key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
            if not TYPES["number"](value) or key == "multipleOf" and value <= 0:
                return at + ": expected a number"
        elif key == "pattern":
            if not is_pattern(value):
                return at + ": expected a regular expression"
        elif key in ("title", "description", "$comment", "format", "$id", "$schema", "$anchor"):
            if not isinstance(value, str):
                return at + ": expected a text"
        elif key in ("uniqueItems", "deprecated", "readOnly", "writeOnly"):
            if not isinstance(value, bool):
                return at + ": expected true or false"
        elif key == "$ref":
            if not isinstance(value, str) or find_ref(value, root) is None:
                return at + ": expected a place inside the schema"
    return None


def is_pattern(value):
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


def find_ref(ref, root):
    if not ref.startswith("#"):
        return None
    found = root
    for part in ref[1:].split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, list) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        else:
            return None
    return found


def misfit(value, schema, root, place="arguments"):
    """The first place at which a value does not fit a schema, or None."""
    if schema is True or schema == {}:
        return None
    if schema is False:
        return place + ": nothing is allowed"
    if "$ref" in schema:
        return misfit(value, find_ref(schema["$ref"], root), root, place)
    wanted = schema.get("type")
    if wanted is not None:
        names = wanted if isinstance(wanted, list) else [wanted]
        if not any(TYPES[n](value) for n in names):
            return "%s: expected %s" % (place, " or ".join(names))
    if "enum" in schema and not any(same(value, one) for one in schema["enum"]):
        return place + ": expected one of the values allowed"
    if "const" in schema and not same(value, schema["const"]):
        return place + ": expected another value"
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0) or len(value) > schema.get("maxLength", len(value)):
            return place + ": expected another length"
        if "pattern" in schema and not re.search(schema["pattern"], value):
            return place + ": expected a text of the pattern"
    if TYPES["number"](value):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            return place + ": expected another number"
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            return place + ": expected a greater number"
        if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
            return place + ": expected a smaller number"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                return "%s.%s: expected a value" % (place, name)
        known = schema.get("properties", {})
        for name, inner in value.items():
            if name in known:
                fault = misfit(inner, known[name], root, place + "." + name)
            elif not any(re.search(p, name) for p in schema.get("patternProperties", {})):
                fault = misfit(inner, schema.get("additionalProperties", True), root, place + "." + name)
            else:
                fault = None
            if fault:
                return fault
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0) or len(value) > schema.get("maxItems", len(value)):
            return place + ": expected another length"
        for index, inner in enumerate(value):
            fault = misfit(inner, schema.get("items", True), root, "%s[%d]" % (place, index))
            if fault:
                return fault
    if any(misfit(value, one, root, place) for one in schema.get("allOf", [])):
        return place + ": expected all of the schemas"
    if "anyOf" in schema and all(misfit(value, one, root, place) for one in schema["anyOf"]):
        return place + ": expected one of the schemas"
    if "oneOf" in schema and sum(1 for one in schema["oneOf"] if not misfit(value, one, root, place)) != 1:
        return place + ": expected exactly one of the schemas"
    if "not" in schema and not misfit(value, schema["not"], root, place):
        return place + ": expected something else"
    return None


def same(one, other):
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# Content, results and display blocks.

def check_content(content, place):
    if isinstance(content, str):
        return content
    must(isinstance(content, list), place + ": expected a text or content parts")
    return [check_part(part, "%s[%d]" % (place, index)) for index, part in enumerate(content)]


def check_part(part, place):
    must(isinstance(part, dict), place + ": expected a content part")
    kind = part.get("type")
    if kind == "text":
        must(isinstance(part.get("text"), str), place + ".text: expected a text")
    elif kind == "think":
        must(isinstance(part.get("think"), str), place + ".think: expected a text")
        return dict({"encrypted": None}, **part)
    elif kind in ("image_url", "audio_url", "video_url"):
        inner = part.get(kind)
        must(isinstance(inner, dict) and isinstance(inner.get("url"), str), place + "." + kind + ".url: expected a text")
        return dict(part, **{kind: dict({"id": None}, **inner)})
    else:
        must(False, place + ".type: expected a known type")
    return part


def text_of(content):
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


BLOCKS = {"brief": {"text": str}, "diff": {"path": str, "old_text": str, "new_text": str}, "todo": {"items": list},
          "shell": {"language": str, "command": str},
          "background_task": {"task_id": str, "kind": str, "status": str, "description": str}}
BLOCK_DEFAULTS = {"diff": {"old_start": 1, "new_start": 1, "is_summary": False}}


def read_block(block):
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise Refused(-32602, "display: expected a block")
    kind = block["type"]
    if kind in BLOCKS:
        if any(not isinstance(block.get(key), type_) for key, type_ in BLOCKS[kind].items()):
            raise Refused(-32602, "display: a block does not fit")
        return dict(BLOCK_DEFAULTS.get(kind, {}), **block)
    if set(block) == {"type", "data"}:
        return block
    return {"type": kind, "data": {key: value for key, value in block.items() if key != "type"}}


def read_return(value):
    """The result that a client's tool gave."""
    must(isinstance(value, dict), "return_value: expected an object")
    must(isinstance(value.get("is_error"), bool), "return_value.is_error: expected true or false")
    must("output" in value, "return_value.output: expected a text")
    check_content(value["output"], "return_value.output")
    must(isinstance(value.get("message"), str), "return_value.message: expected a text")
    must(isinstance(value.get("display"), list), "return_value.display: expected a list")
    must(value.get("extras") is None or isinstance(value["extras"], dict), "return_value.extras: expected an object")
    return {"is_error": value["is_error"], "output": value["output"], "message": value["message"],
            "display": [read_block(block) for block in value["display"]], "extras": value.get("extras")}


def result_of(output="", message="", error=False, brief=None, extras=None):
    display = [] if brief is None else [{"type": "brief", "text": brief}]
    return {"is_error": error, "output": output, "message": message, "display": display, "extras": extras}


def failure(message, brief=None):
    return result_of("", message, True, brief)


# The journal of a kept session.

OLD_NAMES = {"ApprovalRequestResolved": "ApprovalResponse"}
NOTES = ["DoNotAsk", "AskOpened", "InteractionOpened", "InteractionSettled", "SessionOpened", "TurnOpened", "TurnStopping",
         "TurnEnded", "CallStarted", "InteractionTouched", "TurnResumed", "InteractionClaimed", "InteractionRejoined",
         "OnceBegun", "OnceDone", "TurnSuspended"]
S, O, L, N, W = str, dict, list, (int, float), int
FIELDS = {"TurnBegin": {"user_input": (str, list)}, "SteerInput": {"user_input": (str, list)}, "TurnEnd": {},
          "StepBegin": {"n": W}, "StepInterrupted": {}, "CompactionBegin": {}, "CompactionEnd": {},
          "StepRetry": {"n": W, "next_attempt": W, "max_attempts": W, "wait_s": N, "error_type": S},
          "HookTriggered": {"event": S, "target": S, "hook_count": W},
          "HookResolved": {"event": S, "target": S, "action": S, "reason": S, "duration_ms": N},
          "MCPLoadingBegin": {}, "MCPLoadingEnd": {}, "StatusUpdate": {},
          "Notification": {"id": S, "category": S, "type": S, "source_kind": S, "source_id": S, "title": S, "body": S,
                           "severity": S, "created_at": N, "payload": O},
          "ContentPart": {"type": S}, "ToolCall": {"id": S, "function": O}, "ToolCallPart": {},
          "ToolResult": {"tool_call_id": S, "return_value": O}, "ApprovalResponse": {"request_id": S, "response": S},
          "SubagentEvent": {"event": O}, "PlanDisplay": {"content": S, "file_path": S},
          "BtwBegin": {"id": S, "question": S}, "BtwEnd": {"id": S},
          "QuestionRequest": {"id": S, "tool_call_id": S, "questions": L},
          "ApprovalRequest": {"id": S, "tool_call_id": S, "sender": S, "action": S, "description": S},
          "ToolCallRequest": {"id": S, "name": S},
          "HookRequest": {"id": S, "subscription_id": S, "event": S, "target": S, "input_data": O}}
DEFAULTS = {"ApprovalResponse": {"feedback": ""}, "StepRetry": {"status_code": None}, "ToolCall": {"type": "function", "extras": None},
            "ToolCallPart": {"arguments_part": None}, "BtwEnd": {"response": None, "error": None},
            "SubagentEvent": {"parent_tool_call_id": None, "agent_id": None, "subagent_type": None},
            "ToolCallRequest": {"arguments": None},
            "StatusUpdate": {"context_usage": None, "context_tokens": None, "max_context_tokens": None, "token_usage": None,
                             "message_id": None, "plan_mode": None, "mcp_status": None}}
REQUESTS = ["QuestionRequest", "ApprovalRequest", "ToolCallRequest", "HookRequest"]


class Journal:
    """The file wire.jsonl, which is only added to."""

    def __init__(self, folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.path = os.path.join(folder, "wire.jsonl")
        lock_path = os.path.join(folder, "lock")
        self.lock = open(lock_path, "a+")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.lock.seek(0)
            sys.exit("The session is open in process %s (lock file %s)" % (self.lock.read().strip() or "?", lock_path))
        self.lock.truncate(0)
        self.lock.write(str(os.getpid()))
        self.lock.flush()
        old = b""
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                old = file.read()
        self.file = open(os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab", buffering=0)
        if old and not old.endswith(b"\n"):
            self.file.write(b"\n")
        if not old:
            self.file.write(write_json({"type": "metadata", "protocol_version": VERSION}).encode() + b"\n")
        self.piece = None
        unsettled = {}
        for kind, payload, _ in self.records(len(old)):
            if kind == "QuestionRequest":
                unsettled[payload["id"]] = ("question", payload["id"])
            elif kind == "ToolCallRequest":
                unsettled[payload["id"]] = ("tool_call", payload["id"])
            elif kind == "InteractionOpened":
                unsettled[payload.get("request_id")] = (payload.get("kind"), payload.get("request_id"))
            elif kind == "InteractionSettled":
                unsettled.pop(payload.get("request_id"), None)
        for kind, request_id in unsettled.values():
            self.add("InteractionSettled", {"request_id": request_id, "kind": kind, "outcome": {
                "status": "withdrawn", "reason": "shutdown", "by": "system", "at": now()}})

    def add(self, kind, payload):
        if self.piece is not None and self.join(kind, payload):
            return
        self.flush()
        record = {"timestamp": time.time(), "message": {"type": kind, "payload": payload}}
        if kind in ("ContentPart", "ToolCall"):
            self.piece = json.loads(json.dumps(record))
        else:
            self.file.write(write_json(record).encode() + b"\n")

    def join(self, kind, payload):
        """Whether a piece could be added to the record before it."""
        last_kind, last = self.piece["message"]["type"], self.piece["message"]["payload"]
        if kind == "ToolCallPart" and last_kind == "ToolCall":
            last["function"]["arguments"] = (last["function"]["arguments"] or "") + (payload["arguments_part"] or "")
            return True
        if kind == "ContentPart" and last_kind == "ContentPart" and payload["type"] == last["type"]:
            key = {"text": "text", "think": "think"}.get(payload["type"])
            if key and not last.get("encrypted") and len(last[key]) < 1048576:
                last[key] += payload[key]
                if payload.get("encrypted"):
                    last["encrypted"] = payload["encrypted"]
                return True
        return False

    def flush(self):
        if self.piece is not None:
            record, self.piece = self.piece, None
            self.file.write(write_json(record).encode() + b"\n")

    def size(self):
        self.flush()
        return os.path.getsize(self.path)

    def records(self, end):
        """Each good record up to a length of the file."""
        with open(self.path, "rb") as file:
            number = 0
            while file.tell() < end:
                line = file.readline(end - file.tell())
                number += 1
                if not line.strip():
                    continue
                try:
                    record = read_json(line.decode("utf-8", "replace"))
                    if isinstance(record, dict) and record.get("type") == "metadata":
                        continue
                    kind, payload = record["message"]["type"], record["message"]["payload"]
                    kind = OLD_NAMES.get(kind, kind)
                    if not TYPES["number"](record["timestamp"]) or not isinstance(payload, dict):
                        raise ValueError("no record")
                    if kind not in NOTES:
                        fields = FIELDS[kind]
                        if any(not isinstance(payload.get(name), type_) or isinstance(payload[name], bool)
                               for name, type_ in fields.items()):
                            raise ValueError("a payload that does not fit")
                        if kind == "ContentPart":
                            payload = check_part(payload, "payload")
                        payload = dict(DEFAULTS.get(kind, {}), **payload)
                        if kind == "SubagentEvent" and "task_tool_call_id" in payload:
                            payload["parent_tool_call_id"] = payload.pop("task_tool_call_id")
                    yield kind, payload, record
                except (Refused, ValueError, KeyError, TypeError):
                    print("journal: line %d is skipped" % number, file=sys.stderr)


# What is asked.

class Interaction:
    """A question, approval, tool call or hook that waits for its outcome."""

    def __init__(self, kind, payload, member=None):
        self.kind = kind
        self.payload = payload
        self.id = str(uuid.uuid4()) if kind in ("tool_call", "hook") else payload["id"]
        self.member = member
        self.rpc_id = payload["id"]
        self.future = asyncio.get_running_loop().create_future()
        self.sent = {}
        self.off = set()
        self.seq = 0
        self.since = now()
        self.outcome = None
        self.given_up = False

    @property
    def type(self):
        return {"question": "QuestionRequest", "approval": "ApprovalRequest", "tool_call": "ToolCallRequest",
                "hook": "HookRequest"}[self.kind]

    def listed(self):
        text = self.payload["questions"][0]["question"] if self.kind == "question" else self.payload["description"]
        return {"request_id": self.id, "kind": self.kind, "text": " ".join(text.split())[:200], "since": self.since}

    def extended(self):
        """The payload towards an extended client."""
        if self.kind == "question":
            questions = []
            for n, question in enumerate(self.payload["questions"], 1):
                options = [dict(option, id="q%d_o%d" % (n, m)) for m, option in enumerate(question["options"], 1)]
                questions.append(dict(question, id="q%d" % n, options=options, own_text=True))
            return dict(self.payload, questions=questions)
        if self.kind == "approval":
            return self.payload
        return dict(self.payload, request_id=self.id)


class Member:
    """A client of a session, over all its connections."""

    def __init__(self):
        self.id = str(uuid.uuid4())
        self.client_id = None
        self.connection = None
        self.extended = False
        self.name = "unknown"
        self.version = (1, 2)
        self.question = False
        self.plan_mode = False
        self.askwire = {}
        self.tools = {}
        self.hooks = {}
        self.unanswered = set()
        self.lost_at = None

    @property
    def here(self):
        return self.connection is not None

    def who(self):
        return {"name": self.name, "connection": self.connection.id if self.connection else self.id}


class Turn:
    def __init__(self, turn_id, by, content):
        self.id = turn_id
        self.by = by
        self.content = content
        self.waiters = []
        self.steers = collections.deque()
        self.ended = False
        self.stop = False
        self.task = None
        self.step = 0
        self.in_step = False
        self.source = uuid.uuid4().hex


class Session:
    """A conversation with its clients, its turn and what is open in it."""

    def __init__(self, hub, session_id, journal):
        self.hub = hub
        self.id = session_id
        self.journal = journal
        self.stream = str(uuid.uuid4())
        self.seq = 0
        self.buffer = collections.deque()
        self.buffered = 0
        self.told_state = "idle"
        self.members = []
        self.open = {}
        self.settled = collections.OrderedDict()
        self.turn = None
        self.turns = collections.OrderedDict()
        self.plan_mode = False
        self.for_session = set()
        self.replies = collections.OrderedDict()
        self.context_tokens = None
        self.made_at = self.active_at = now()
        self.title = None
        self.closed = False
        self.kept_from = None

    # Telling.

    def state(self):
        if any(it.kind in ("question", "approval") for it in self.open.values()):
            return "waiting"
        return "running" if self.turn else "idle"

    def number(self):
        self.seq += 1
        numbered = {"seq": self.seq}
        state = self.state()
        if state != self.told_state:
            self.told_state = numbered["state"] = state
        return numbered

    def keep(self, entry, size):
        if self.kept_from is None:
            if not any(m.extended for m in self.members):
                return
            self.kept_from = self.seq
        self.buffer.append((self.seq, entry, size))
        self.buffered += size
        while len(self.buffer) > 10000 or self.buffered > 16777216:
            _, _, gone = self.buffer.popleft()
            self.buffered -= gone

    def emit(self, kind, payload, more=None, base=True, record=True, without=None):
        """Tells every client but the one that hears it by a reply; returns the number."""
        if self.journal and record and base and kind != "ApprovalResponse":
            self.journal.add(kind, payload)
        params = {"type": kind, "payload": dict(payload, **(more or {}))}
        numbered = self.number()
        params.update(numbered)
        text = write_json({"jsonrpc": "2.0", "method": "event", "params": params})
        self.keep(("event", text), len(text))
        plain = None
        for member in list(self.members):
            if not member.here or member.connection is without:
                continue
            if member.extended:
                member.connection.tell(text)
            elif base and self.told(member, kind):
                plain = plain or write_json({"jsonrpc": "2.0", "method": "event", "params": {"type": kind, "payload": payload}})
                member.connection.write(plain)
        return numbered

    def told(self, member, kind):
        if kind in ("HookTriggered", "HookResolved") and member.hooks:
            return True
        return member.version >= SINCE.get(kind, (0, 0))

    def changed(self):
        self.active_at = now()
        self.hub.session_changed(self)

    # Asking.

    def shows(self, member, it):
        if it.kind == "question":
            return member.question
        return True

    async def ask(self, it):
        """The outcome of a question or approval, and what was answered."""
        if self.hub.afk:
            return {"status": "unavailable", "reason": "unattended", "by": "policy", "at": now()}, None
        if sum(1 for one in self.open.values() if one.kind != "hook") >= 64:
            return {"status": "unavailable", "reason": "limit", "by": "system", "at": now()}, None
        here = [m for m in self.members if m.here]
        if not self.hub.hold and not any(self.shows(m, it) for m in here):
            reason = "unsupported" if here else "unattended"
            return {"status": "unavailable", "reason": reason, "by": "system", "at": now()}, None
        self.open[it.id] = it
        if self.journal:
            self.journal.add("InteractionOpened", {"request_id": it.id, "kind": it.kind, "request": it.payload})
            if it.kind == "question":
                self.journal.add("QuestionRequest", it.payload)
        self.send_new(it, [m for m in here if self.shows(m, it)])
        self.changed()
        return await it.future

    def send_new(self, it, asked):
        numbered = self.number()
        it.seq = self.seq
        self.keep(("request", it, numbered), len(write_json(it.payload)))
        for member in [m for m in self.members if m.here]:
            if member in asked:
                self.put(member, it, numbered)
            elif member.extended:
                member.connection.event("InteractionOpened", {"request_id": it.id, "kind": it.kind}, numbered)

    def put(self, member, it, numbered):
        """Sends a request to one client."""
        it.sent[member] = "seq" in numbered
        if member.extended and it.kind in ("question", "approval"):
            member.connection.event(it.type, it.extended(), numbered)
        else:
            member.connection.outstanding[it.rpc_id] = it
            params = {"type": it.type, "payload": it.extended() if member.extended else it.payload}
            if member.extended:
                params.update(numbered)
            member.connection.write(write_json({"jsonrpc": "2.0", "method": "request", "id": it.rpc_id, "params": params}))

    def put_open(self, member):
        """Sends what is open and was not sent to this client yet, oldest first."""
        for it in list(self.open.values()):
            if it.kind in ("question", "approval") and member not in it.sent and member not in it.off and self.shows(member, it):
                self.put(member, it, {})

    async def ask_one(self, kind, payload, member):
        """Asks the client of a tool or a hook, and no other."""
        it = Interaction(kind, payload, member)
        if kind == "tool_call":
            n = 1
            while it.rpc_id in member.unanswered:
                n += 1
                it.rpc_id = "%s#%d" % (payload["id"], n)
            it.payload = dict(payload, id=it.rpc_id)
            member.unanswered.add(it.rpc_id)
        if not member.here and not member.lost_at:
            return {"status": "unavailable", "reason": "client_lost", "by": "system", "at": now()}, None
        if len(self.open) >= 64:
            return {"status": "unavailable", "reason": "limit", "by": "system", "at": now()}, None
        self.open[it.id] = it
        if self.journal and kind == "tool_call":
            self.journal.add("ToolCallRequest", it.payload)
        self.send_new(it, [member])
        try:
            return await it.future
        finally:
            it.given_up = True

    def settle(self, it, outcome, response=None, notes=None, by=None):
        if it.outcome:
            return
        outcome = dict(outcome, at=now())
        it.outcome = outcome
        self.open.pop(it.id, None)
        self.settled[it.id] = it
        while len(self.settled) > 500:
            self.settled.popitem(last=False)
        told = {"request_id": it.id, "kind": it.kind, "outcome": outcome}
        if response is not None:
            told["response"] = response
        if self.journal and it.sent is not None:
            record = dict(told, **(notes or {}))
            if it.kind in ("approval", "hook"):
                record["request"] = it.payload
            if it.kind in ("tool_call", "hook"):
                record["request_id"] = it.payload["id"]
            self.journal.add("InteractionSettled", record)
        it.number = self.emit("InteractionSettled", told, base=False, record=False, without=by)
        if it.kind in ("tool_call", "hook") and it.member.here and it.member.extended and outcome["status"] != "answered":
            it.member.connection.write(write_json({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": it.rpc_id}}))
        if it.kind == "approval":
            said = response or {"response": "reject", "feedback": self.why_not(outcome)}
            self.emit("ApprovalResponse", {"request_id": it.id, "response": said["response"], "feedback": said["feedback"]})
        if not it.future.done():
            it.future.set_result((outcome, response))
        if it.kind == "approval" and response and response["response"] == "approve_for_session":
            self.for_session.add(it.payload["action"])
            for other in list(self.open.values()):
                if other.kind == "approval" and other.payload["action"] == it.payload["action"]:
                    self.settle(other, {"status": "answered", "by": "policy"}, {"response": "approve", "feedback": ""})
        self.changed()

    @staticmethod
    def why_not(outcome):
        if outcome["status"] == "withdrawn":
            return ""
        return "Nobody approved this (%s). Do not try to go around it." % outcome.get("reason", outcome["status"])

    def taken_off(self, member, it, reason, note=None):
        """A client that fails at a request leaves it to the others."""
        it.off.add(member)
        if self.hub.hold and not member.here:
            return
        if any(m not in it.off for m in it.sent):
            return
        if it.kind in ("question", "approval") and self.hub.hold:
            return
        outcome = {"status": "unavailable", "reason": reason, "by": "system"}
        if note:
            outcome["note"] = note
        self.settle(it, outcome)

    # Answers of base clients.

    def base_reply(self, member, it, result, error):
        """A response to a request, from a client that it was sent to."""
        if it.kind in ("tool_call", "hook"):
            member.unanswered.discard(it.rpc_id)
        if it.outcome or member in it.off:
            return
        who = {"status": "answered", "by": "human", "client": member.who()}
        if it.kind == "tool_call":
            self.settle(it, dict(who, by="system"), self.read_tool(result, error))
            return
        if it.kind == "hook":
            said = self.read_hook(it, result, error)
            self.settle(it, dict(who, by="hook") if said[1] else {"status": "unavailable", "reason": "protocol_error", "by": "system"}, said[0])
            return
        if error is not None:
            code = error["code"]
            if (code, error["message"]) == (-32000, "User cancelled"):
                self.settle(it, {"status": "declined", "reason": "dismissed", "by": "human", "client": member.who()})
                return
            reason = {-32601: "unsupported", -32020: "limit"}.get(code, "protocol_error")
            self.taken_off(member, it, reason, error["message"])
            return
        fits = isinstance(result, dict) and isinstance(result.get("request_id"), str)
        if it.kind == "approval":
            feedback = result.get("feedback", "") if fits else None
            if not fits or result.get("response") not in ("approve", "approve_for_session", "reject") or not isinstance(feedback, str):
                self.taken_off(member, it, "protocol_error")
                return
            self.settle(it, who, {"response": result["response"], "feedback": feedback})
            return
        answers = result.get("answers") if fits else None
        if not isinstance(answers, dict) or any(not isinstance(v, str) for v in answers.values()):
            self.taken_off(member, it, "protocol_error")
            return
        if not any(value.strip() for value in answers.values()):
            self.settle(it, {"status": "declined", "reason": "dismissed", "by": "human", "client": member.who()})
            return
        items, degraded = [], []
        for n, question in enumerate(it.payload["questions"], 1):
            items.append(read_value(n, question, answers.get(question["question"], "")))
            if question["multi_select"] and any(", " in option["label"] for option in question["options"]):
                degraded.append({"question_id": "q%d" % n, "feature": "multi_label"})
        if degraded:
            who["degraded"] = degraded
        self.settle(it, who, {"answers": answers, "items": items})

    @staticmethod
    def read_tool(result, error):
        if error is not None:
            return failure(error["message"])
        try:
            must(isinstance(result, dict) and isinstance(result.get("tool_call_id"), str), "tool_call_id: expected a text")
            return read_return(result.get("return_value"))
        except Refused as refused:
            return failure("The client's answer is malformed: " + refused.message)

    @staticmethod
    def read_hook(it, result, error):
        if error is None and isinstance(result, dict) and isinstance(result.get("request_id"), str):
            action, reason = result.get("action", "allow"), result.get("reason", "")
            if action in ("allow", "block") and isinstance(reason, str):
                return {"action": action, "reason": reason}, True
        return None, False

    # Attaching.

    def attach(self, member):
        if member not in self.members:
            self.members.append(member)
        self.changed()

    def lose(self, member, connection):
        """The connection of a client has ended."""
        if member.connection is not connection:
            return
        member.connection = None
        if member.client_id and self.hub.grace:
            member.lost_at = time.monotonic()
            asyncio.get_running_loop().call_later(self.hub.grace, self.forget, member, member.lost_at)
        else:
            self.forget(member, None)
        self.changed()

    def forget(self, member, lost_at):
        if member.here or member.lost_at != lost_at:
            return
        member.lost_at = None
        if member in self.members:
            self.members.remove(member)
        for it in list(self.open.values()):
            if it.member is member:
                self.settle(it, {"status": "unavailable", "reason": "client_lost", "by": "system"})
            elif member in it.sent and member not in it.off:
                self.taken_off(member, it, "client_lost")

    def close(self, reason):
        self.closed = True
        for it in list(self.open.values()):
            self.settle(it, {"status": "withdrawn", "reason": reason, "by": "system"})
        if self.turn:
            self.end_turn("cancelled")
        if self.journal:
            self.journal.flush()

    # Turns.

    def begin(self, connection, rpc_id, content, turn_id):
        by = connection.member.who()
        turn = self.turn = Turn(turn_id or str(uuid.uuid4()), by, content)
        turn.waiters.append((connection, rpc_id))
        if self.title is None and text_of(content).strip():
            self.title = text_of(content).strip().split("\n")[0][:120]
        self.emit("TurnBegin", {"user_input": content}, {"turn_id": turn.id, "by": by})
        turn.task = asyncio.ensure_future(Agent(self, turn).run())
        self.changed()

    def end_turn(self, status, steps=None, error=None):
        turn, self.turn = self.turn, None
        turn.ended = True
        more = {"turn_id": turn.id, "by": turn.by, "status": status}
        if steps is not None:
            more["steps"] = steps
        if error is not None:
            more["error"] = {"code": error.code, "message": error.message, "data": error.data}
        self.emit("TurnEnd", {}, more)
        result = {"status": status}
        if steps is not None:
            result["steps"] = steps
        self.turns[turn.id] = (result, error)
        while len(self.turns) > 64:
            self.turns.popitem(last=False)
        for connection, rpc_id in turn.waiters:
            connection.finish(rpc_id, result, error)
        if turn.task:
            turn.task.cancel()
        self.changed()

    def cancel(self):
        for it in list(self.open.values()):
            self.settle(it, {"status": "withdrawn", "reason": "interrupted", "by": "human"})
        self.end_turn("cancelled")

    # What extended clients say.

    def refuse(self, connection, it, request_id):
        """Why a client may not settle a request, or nothing."""
        if it is None:
            other = self.hub.session_of(request_id)
            if other is not None and other is not self:
                raise Refused(-32012, "That request is another session's")
            raise Refused(-32011, "There is no such request")
        if it.kind not in ("question", "approval"):
            raise Refused(-32014, "That is no question and no approval")
        if it.outcome:
            raise Refused(-32010, "That request is settled", {"outcome": it.outcome})
        if connection.member not in it.sent or connection.member in it.off:
            raise Refused(-32014, "This client was not asked")

    def find(self, request_id):
        return self.open.get(request_id) or self.settled.get(request_id)

    def answer(self, connection, params):
        check_answer(params)
        member = connection.member
        key = (member.client_id or connection.id, params["request_id"], params["answer_id"])
        if key in self.replies:
            again = self.replies[key]
            if isinstance(again, Refused):
                raise again
            return again
        connection.refusals = [t for t in connection.refusals if time.monotonic() - t < 60]
        if len(connection.refusals) >= 256:
            raise Refused(-32020, "Too many answers were refused", {"limit": "refusedAnswers"})
        try:
            reply = self.take_answer(connection, params)
        except Refused as refused:
            connection.refusals.append(time.monotonic())
            self.replies[key] = refused
            raise
        self.replies[key] = {"outcome": reply["outcome"]}
        while len(self.replies) > 1024:
            self.replies.popitem(last=False)
        return reply

    def take_answer(self, connection, params):
        member = connection.member
        it = self.find(params["request_id"])
        self.refuse(connection, it, params["request_id"])
        outcome = params["outcome"]
        if outcome["status"] not in ("answered", "declined") or any(k in outcome for k in ("by", "client", "at", "degraded")):
            raise Refused(-32014, "Only the server can say that")
        issues = find_issues(it, params, member.askwire)
        if issues:
            raise Refused(-32013, "The answer does not fit", {"issues": issues})
        settled = {"status": outcome["status"], "by": "human", "client": member.who()}
        if outcome["status"] == "declined":
            settled["reason"] = outcome.get("reason", "dismissed")
        if "note" in outcome:
            settled["note"] = outcome["note"]
        response = None
        if outcome["status"] == "answered":
            if it.kind == "approval":
                response = {"response": params["response"], "feedback": params.get("feedback", "")}
            else:
                response = {"answers": answers_of(it, params["items"]), "items": params["items"]}
        notes = {"answer_id": params["answer_id"]}
        if member.client_id:
            notes["client_id"] = member.client_id
        self.settle(it, settled, response, notes, connection)
        reply = {"outcome": it.outcome, "kind": it.kind, **it.number}
        if response is not None:
            reply["response"] = response
        return reply

    def touch(self, connection, params):
        must(isinstance(params.get("request_id"), str), "request_id: expected a text")
        self.refuse(connection, self.find(params["request_id"]), params["request_id"])
        return {}

    def release(self, connection, params):
        must(isinstance(params.get("request_id"), str), "request_id: expected a text")
        reason = params.get("reason", "protocol_error")
        must(reason in ("unsupported", "limit", "protocol_error"), "reason: expected unsupported, limit or protocol_error")
        must(isinstance(params.get("message", ""), str), "message: expected a text")
        it = self.find(params["request_id"])
        self.refuse(connection, it, params["request_id"])
        self.taken_off(connection.member, it, reason, params.get("message"))
        return {}

    def listed(self):
        entry = {"id": self.id, "state": self.state(), "connections": sum(1 for m in self.members if m.here),
                 "folder": self.hub.work_dir, "host": socket.gethostname(), "made_at": self.made_at, "active_at": self.active_at}
        waiting = [it for it in self.open.values() if it.kind in ("question", "approval")]
        entry["open"] = len(waiting)
        if self.title:
            entry["title"] = self.title
        if waiting:
            entry["oldest"] = waiting[0].listed()
        return entry

    def waiting(self):
        """What waits for a person here, a row each."""
        place = {"session_id": self.id, "state": "open", "folder": self.hub.work_dir, "host": socket.gethostname()}
        if self.title:
            place["title"] = self.title
        return [dict(it.listed(), **place) for it in self.open.values() if it.kind in ("question", "approval")]


def read_value(n, question, value):
    """The item that a base client's text stands for."""
    labels = {option["label"]: "q%d_o%d" % (n, m) for m, option in enumerate(question["options"], 1)}
    item = {"question_id": "q%d" % n, "selected": []}
    if not value.strip():
        return dict(item, skipped=True)
    if value in labels:
        item["selected"] = [labels[value]]
        return item
    rest = value
    if question["multi_select"]:
        while rest:
            fitting = [label for label in labels if rest == label or rest.startswith(label + ", ")]
            if not fitting:
                break
            label = max(fitting, key=len)
            item["selected"].append(labels[label])
            rest = rest[len(label) + 2:]
    if rest:
        item["own_text"] = rest
    return item


def answers_of(it, items):
    """The map by text that items stand for."""
    answers = {}
    said = {item["question_id"]: item for item in items}
    for n, question in enumerate(it.payload["questions"], 1):
        item = said["q%d" % n]
        if item.get("skipped"):
            continue
        words = [o["label"] for m, o in enumerate(question["options"], 1) if "q%d_o%d" % (n, m) in item["selected"]]
        if item.get("own_text"):
            words.append(item["own_text"])
        answers[question["question"]] = ", ".join(words)
    return answers


def check_answer(params):
    must(isinstance(params.get("request_id"), str), "request_id: expected a text")
    answer_id = params.get("answer_id")
    must(isinstance(answer_id, str) and 1 <= len(answer_id) <= 128, "answer_id: expected a text of 1 to 128 characters")
    outcome = params.get("outcome")
    must(isinstance(outcome, dict), "outcome: expected an object")
    must(outcome.get("status") in STATUSES, "outcome.status: expected a status")
    must(isinstance(outcome.get("note", ""), str), "outcome.note: expected a text")
    must(isinstance(outcome.get("reason", ""), str), "outcome.reason: expected a text")
    items = params.get("items", [])
    must(isinstance(items, list), "items: expected a list")
    for index, item in enumerate(items):
        at = "items[%d]" % index
        must(isinstance(item, dict) and isinstance(item.get("question_id"), str), at + ".question_id: expected a text")
        must(isinstance(item.get("selected"), list) and all(isinstance(s, str) for s in item["selected"]),
             at + ".selected: expected a list of texts")
        must(isinstance(item.get("own_text", ""), str), at + ".own_text: expected a text")
        must(isinstance(item.get("skipped", False), bool), at + ".skipped: expected true or false")
        must(isinstance(item.get("note", ""), str), at + ".note: expected a text")
        must(isinstance(item.get("attachments", []), list), at + ".attachments: expected a list")
        if "attachments" in item:
            item["attachments"] = [check_part(part, at + ".attachments") for part in item["attachments"]]
    if "response" in params:
        must(params["response"] in ("approve", "approve_for_session", "reject"), "response: expected an answer")
    for name in ("option", "edited", "feedback"):
        must(isinstance(params.get(name, ""), str), name + ": expected a text")


IMAGE = re.compile(r"^data:image/[A-Za-z0-9.+-]+(?:;[^,;]+)*;base64,([A-Za-z0-9+/]*={0,2})$")


def find_issues(it, params, askwire):
    issues = []

    def issue(code, message, question_id=None):
        issues.append({"question_id": question_id, "code": code, "message": message})

    outcome, items = params["outcome"], params.get("items")
    if outcome["status"] == "declined":
        if outcome.get("reason", "dismissed") not in ("dismissed", "discuss"):
            issue("unexpected", "declined has no such reason")
        for name in ("items", "response", "option", "edited", "feedback"):
            if name in params:
                issue("unexpected", "declined has no " + name)
    else:
        if "reason" in outcome:
            issue("unexpected", "answered has no reason")
    if "note" in outcome and not askwire.get("notes"):
        issue("not_negotiated", "notes were not declared")
    if outcome["status"] == "declined":
        return issues
    if it.kind == "approval":
        if "items" in params:
            issue("unexpected", "an approval has no items")
        if "option" in params:
            issue("unknown_option" if askwire.get("approval_options") else "not_negotiated", "there is no such option")
        if "edited" in params:
            issue("edited" if askwire.get("edits") else "not_negotiated", "there is no text to change")
        if "response" not in params and "option" not in params:
            issue("missing", "an approval needs a response")
        return issues
    for name in ("response", "option", "edited", "feedback"):
        if name in params:
            issue("unexpected", "a question has no " + name)
    questions = {"q%d" % n: q for n, q in enumerate(it.payload["questions"], 1)}
    seen, total = set(), 0
    answered = False
    for item in items or []:
        qid = item["question_id"]
        question = questions.get(qid)
        if question is None:
            issue("unknown_question", "there is no such question", qid)
            continue
        if qid in seen:
            issue("repeated_question", "the question has an item already", qid)
            continue
        seen.add(qid)
        ids = ["%s_o%d" % (qid, m) for m in range(1, len(question["options"]) + 1)]
        own = item.get("own_text")
        chosen = len(set(item["selected"]))
        if any(s not in ids for s in item["selected"]):
            issue("unknown_option", "the question has no such option", qid)
        if "note" in item and not askwire.get("notes"):
            issue("not_negotiated", "notes were not declared", qid)
        if item.get("skipped"):
            if not askwire.get("skip"):
                issue("not_negotiated", "skipped was not declared", qid)
            if item["selected"] or own or item.get("attachments"):
                issue("skipped", "a skipped question has no answer", qid)
            continue
        if not question["multi_select"] and chosen + (1 if own and own.strip() else 0) > 1:
            issue("too_many", "the question takes one choice", qid)
        if not item["selected"]:
            if own is None:
                issue("missing", "nothing is chosen", qid)
            elif not own.strip():
                issue("blank", "the text is blank", qid)
        answered = True
        for part in item.get("attachments", []):
            if not askwire.get("attachments"):
                issue("not_negotiated", "attachments were not declared", qid)
                break
            match = part["type"] == "image_url" and IMAGE.match(part["image_url"]["url"])
            size = len(base64.b64decode(match.group(1) + "==")) if match else 0
            total += size
            if not match or size > 5 * 1048576 or total > 10 * 1048576:
                issue("attachment", "an attachment is an image in a data URL, of at most 5 MiB and all together of 10", qid)
    for qid in questions:
        if qid not in seen:
            issue("missing", "the question has no item", qid)
    if not issues and not answered:
        issue("nothing_answered", "every question is skipped: that is declined")
    return issues


# The agent: the scripted model and its tools.

class Agent:
    def __init__(self, session, turn):
        self.session = session
        self.hub = session.hub
        self.turn = turn
        self.continued = False

    def emit(self, kind, payload):
        if not self.turn.ended:
            self.session.emit(kind, payload)

    async def run(self):
        session, turn = self.session, self.turn
        try:
            await asyncio.sleep(0)
            words = text_of(turn.content)
            blocked = await self.hooks("UserPromptSubmit", words[:2000], {"prompt": words})
            if blocked is not None:
                self.emit("ContentPart", {"type": "text", "text": blocked or "A hook blocked the prompt."})
                session.end_turn("finished")
                return
            if self.slash(words):
                session.end_turn("finished")
                return
            if self.hub.model is None:
                raise Refused(-32001, "No model is configured")
            if isinstance(turn.content, list):
                for part in turn.content:
                    if part["type"].endswith("_url") and part["type"][:-4] + "_in" not in self.hub.takes:
                        raise Refused(-32002, "The model does not take " + part["type"])
            limit = await self.steps()
            if limit is None:
                session.end_turn("finished")
            else:
                session.end_turn("max_steps_reached", limit)
        except asyncio.CancelledError:
            raise
        except Refused as refused:
            await self.fail(refused, "Refused")
        except ProviderFailure as error:
            await self.fail(Refused(-32003, str(error)), "APIStatusError")
        except Exception as error:  # noqa: BLE001
            import traceback
            traceback.print_exc(file=sys.stderr)
            await self.fail(Refused(-32603, "The turn failed; the log has more"), type(error).__name__)

    async def fail(self, refused, error_type):
        if self.turn.ended:
            return
        if self.turn.in_step:
            self.emit("StepInterrupted", {})
        await self.hooks("StopFailure", error_type, {"error_type": error_type, "error_message": refused.message})
        for it in list(self.session.open.values()):
            self.session.settle(it, {"status": "withdrawn", "reason": "agent", "by": "system"})
        if not self.turn.ended:
            self.session.end_turn("failed", error=refused)

    def slash(self, words):
        if not isinstance(self.turn.content, str) and len(self.turn.content) != 1:
            return False
        if words.split(" ")[0] != "/clear":
            return False
        self.session.context_tokens = 0
        self.emit("StatusUpdate", status(context_usage=0.0, context_tokens=0, max_context_tokens=self.hub.context_size))
        return True

    async def steps(self):
        turn, session = self.turn, self.session
        extra = 0
        while True:
            if turn.step >= self.hub.max_steps + extra:
                return turn.step
            turn.step += 1
            turn.in_step = True
            self.emit("StepBegin", {"n": turn.step})
            await self.compact()
            calls = await self.model_step()
            await asyncio.gather(*[task for _, task in calls])
            turn.in_step = False
            steered = list(turn.steers)
            turn.steers.clear()
            for content in steered:
                self.emit("SteerInput", {"user_input": content})
            if steered and turn.step >= self.hub.max_steps + extra:
                extra = turn.step + 1 - self.hub.max_steps
            if turn.stop and not steered:
                return None
            if not calls and not steered:
                if not self.continued:
                    reason = await self.hooks("Stop", "", {"stop_hook_active": False})
                    if reason:
                        self.continued = True
                        continue
                if turn.steers:
                    continue
                return None
            turn.stop = False

    async def compact(self):
        session = self.session
        if session.context_tokens is None or session.context_tokens <= 0.85 * self.hub.context_size:
            return
        count = session.context_tokens
        if await self.hooks("PreCompact", "auto", {"trigger": "auto", "token_count": count}) is not None:
            return
        self.emit("CompactionBegin", {})
        try:
            said = [value for kind, value in self.hub.script() if kind == "text"]
            if not "".join(said).strip():
                raise ProviderFailure(None, "The summary is empty")
        finally:
            self.emit("CompactionEnd", {})
        session.context_tokens = None
        await self.hooks("PostCompact", "auto", {"trigger": "auto", "estimated_token_count": 0})

    async def model_step(self):
        """One answer of the model: its parts are told, its calls are started."""
        attempt = 1
        while True:
            complete = []
            try:
                return await self.model_answer(complete)
            except ProviderFailure as error:
                passing = error.status is None or error.status in (408, 409, 429) or error.status >= 500
                if not passing or complete or attempt >= self.hub.attempts:
                    raise
                wait = min(0.3 * 2 ** (attempt - 1), 5)
                attempt += 1
                self.emit("StepRetry", {"n": self.turn.step, "next_attempt": attempt, "max_attempts": self.hub.attempts,
                                        "wait_s": wait, "error_type": "APIStatusError", "status_code": error.status})
                await asyncio.sleep(wait)

    async def model_answer(self, complete):
        calls, usage = [], None
        for kind, value in self.hub.script():
            if kind == "usage":
                usage = value
            elif kind == "error":
                complete.extend(calls[:-1])
                raise ProviderFailure(value[0], "HTTP status %d: %s" % value)
            elif kind == "tool_call":
                calls.append({"id": value["id"], "name": value["name"], "arguments": value.get("arguments") or ""})
                self.emit("ToolCall", {"type": "function", "id": value["id"], "function": {
                    "name": value["name"], "arguments": value.get("arguments")}, "extras": value.get("extras")})
            elif kind == "tool_call_part":
                calls[-1]["arguments"] += value.get("arguments_part") or ""
                self.emit("ToolCallPart", {"arguments_part": value.get("arguments_part")})
            elif kind == "text":
                self.emit("ContentPart", {"type": "text", "text": value})
            elif kind == "think":
                self.emit("ContentPart", {"type": "think", "think": value, "encrypted": None})
            await self.hub.drained(self.session)
        self.emit("StatusUpdate", self.step_status(usage))
        tasks, by_call = [], {}
        for call in calls:
            key = (call["name"], canonical(call["arguments"]))
            if key not in by_call:
                by_call[key] = asyncio.ensure_future(self.call(call))
            tasks.append((call, asyncio.ensure_future(self.result(call, by_call[key]))))
        return tasks

    def step_status(self, usage):
        if usage is None:
            self.session.context_tokens = None
            return status(plan_mode=self.session.plan_mode)
        spent = {key: usage.get(key, 0) for key in ("input_other", "output", "input_cache_read", "input_cache_creation")}
        tokens = spent["input_other"] + spent["input_cache_read"] + spent["input_cache_creation"]
        self.session.context_tokens = tokens
        return status(context_usage=tokens / self.hub.context_size, context_tokens=tokens,
                      max_context_tokens=self.hub.context_size, token_usage=spent, plan_mode=self.session.plan_mode)

    async def result(self, call, task):
        value = await asyncio.shield(task)
        if self.turn.ended:
            return
        message = {"tool_call_id": call["id"], "return_value": value}
        if units(write_json(message)) > MAX_OUT - 4096:
            cut = text_of(value["output"])[:1000000] + "\n… (the output was too long and is cut)"
            message["return_value"] = dict(value, output=cut)
        self.emit("ToolResult", message)

    async def call(self, call):
        try:
            value = await self.run_tool(call)
        except Refused as refused:
            value = failure(refused.message)
        return value

    async def run_tool(self, call):
        try:
            arguments = read_json(call["arguments"] or "{}")
        except Refused:
            arguments = None
        data = {"tool_name": call["name"], "tool_input": arguments, "tool_call_id": call["id"]}
        if not isinstance(arguments, dict):
            data["tool_input"] = {}
        blocked = await self.hooks("PreToolUse", call["name"], data)
        if blocked is not None:
            return failure(blocked or "A hook blocked this call.")
        owner = next((m for m in reversed(self.session.members) if call["name"] in m.tools), None)
        if owner is not None:
            value = await self.external(call, owner, arguments)
        elif call["name"] not in OWN_TOOLS:
            value = failure("There is no tool " + call["name"])
        elif not isinstance(arguments, dict):
            value = failure("The arguments are no JSON object")
        elif call["name"] == "AskUserQuestion":
            value = await self.ask_user(call, arguments)
        elif call["name"] == "WriteFile":
            value = await self.write_file(call, arguments)
        elif call["name"] == "EnterPlanMode":
            value = await self.enter_plan_mode(call)
        else:
            value = await self.exit_plan_mode(call, arguments)
        if value["is_error"]:
            await self.hooks("PostToolUseFailure", call["name"], dict(data, error=(value["message"] or text_of(value["output"]))[:2000]))
        else:
            await self.hooks("PostToolUse", call["name"], dict(data, tool_output=text_of(value["output"])[:2000]))
        return value

    async def external(self, call, member, arguments):
        schema = member.tools[call["name"]]
        if not call["arguments"].strip():
            arguments = {}
        fault = misfit(arguments, schema, schema) if arguments is not None else "arguments: expected JSON"
        if fault:
            return failure("The arguments do not fit: " + fault)
        outcome, value = await self.session.ask_one("tool_call", {
            "id": call["id"], "name": call["name"], "arguments": call["arguments"]}, member)
        return value if value is not None else failure("The tool's client gave no result (%s)" % outcome["reason"])

    async def ask_user(self, call, arguments):
        fault, questions = read_questions(arguments)
        if fault:
            return failure("Invalid questions: " + fault)
        outcome, response = await self.session.ask(Interaction("question", {
            "id": str(uuid.uuid4()), "tool_call_id": call["id"], "questions": questions}))
        return told_result(outcome, response)

    async def approved(self, call, action, description, display):
        """None for an approval, or the result of a rejected call."""
        session = self.session
        if self.hub.yolo or action in session.for_session:
            return None
        it = Interaction("approval", {
            "id": str(uuid.uuid4()), "tool_call_id": call["id"], "sender": call["name"], "action": action,
            "description": description, "source_kind": "foreground_turn", "source_id": self.turn.source, "agent_id": None,
            "subagent_type": None, "source_description": None, "display": display})
        outcome, response = await session.ask(it)
        if response is None:
            if outcome["status"] == "declined":
                return failure("The user did not decide: " + outcome.get("note", "they dismissed the approval"))
            return failure(session.why_not(outcome))
        if response["response"] != "reject":
            return None
        if not response["feedback"]:
            self.turn.stop = True
            return failure("The user rejected this.", "Rejected")
        return failure("The user rejected this: " + response["feedback"], "Rejected")

    async def write_file(self, call, arguments):
        path, content = arguments.get("path"), arguments.get("content")
        if not isinstance(path, str) or not isinstance(content, str):
            return failure("path and content: expected texts")
        if self.session.plan_mode:
            return failure("Nothing may be changed in plan mode")
        path = os.path.join(self.hub.work_dir, path)
        old = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                old = file.read()
        display = [{"type": "diff", "path": path, "old_text": old, "new_text": content, "old_start": 1, "new_start": 1,
                    "is_summary": False}]
        rejected = await self.approved(call, "edit " + os.path.normpath(path), "Write the file `%s`" % path, display)
        if rejected:
            return rejected
        try:
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(content)
        except OSError as error:
            return failure(str(error))
        return result_of("The file was written.", "", brief="Wrote " + os.path.basename(path))

    async def plan_question(self, call, question):
        return await self.session.ask(Interaction("question", {
            "id": str(uuid.uuid4()), "tool_call_id": call["id"], "questions": [question]}))

    async def enter_plan_mode(self, call):
        if self.session.plan_mode:
            return failure("Plan mode is on already")
        outcome, response = await self.plan_question(call, question_of("Enter plan mode?", ["Yes", "No"]))
        if first_value(response) != "Yes":
            return result_of("Plan mode stays off.", "")
        self.session.plan_mode = True
        self.emit("StatusUpdate", status(plan_mode=True))
        return result_of("Plan mode is on.", "")

    async def exit_plan_mode(self, call, arguments):
        plan, options = arguments.get("plan"), arguments.get("options") or []
        if not self.session.plan_mode:
            return failure("Plan mode is off")
        if not isinstance(plan, str) or not isinstance(options, list) or len(options) > 3:
            return failure("plan: expected a text, and up to three options")
        options = [{"label": o} if isinstance(o, str) else o for o in options]
        labels = [o.get("label") if isinstance(o, dict) else None for o in options]
        if any(not isinstance(label, str) or not label.strip() or label in ("Reject", "Revise") for label in labels) \
                or len(set(labels)) < len(labels):
            return failure("options: expected different labels, and neither Reject nor Revise")
        self.emit("PlanDisplay", {"content": plan, "file_path": os.path.join(self.hub.work_dir, "plan.md")})
        question = question_of("Approve this plan", labels or ["Approve"], header="Plan", body=plan, other_label="Revise")
        for option, given in zip(question["options"], options):
            if isinstance(given.get("description"), str):
                option["description"] = given["description"]
        question["options"].append({"label": "Reject", "description": ""})
        outcome, response = await self.plan_question(call, question)
        value = first_value(response)
        if value in (labels or ["Approve"]):
            self.session.plan_mode = False
            self.emit("StatusUpdate", status(plan_mode=False))
            return result_of("The plan was approved: " + value, "")
        if value == "Reject":
            return result_of("The plan was rejected. Plan mode stays on.", "")
        if value is not None:
            return result_of("The plan is to be revised: " + value, "")
        return result_of("Nobody approved the plan (%s). Plan mode stays on." % outcome["status"], "")

    async def hooks(self, event, target, data):
        """None where everybody allows, or the first reason to block."""
        session = self.session
        if self.turn.ended:
            return None
        matching = []
        for member in session.members:
            for hook in member.hooks.values():
                if hook["event"] == event and (not hook["matcher"] or re.search(hook["matcher"], target)):
                    matching.append((member, hook))
        if not matching:
            return None
        target = target[:2000]
        began = time.monotonic()
        self.emit("HookTriggered", {"event": event, "target": target, "hook_count": len(matching)})
        said = await asyncio.gather(*[self.hook(member, hook, event, target, data) for member, hook in matching])
        blocking = [reason for action, reason in said if action == "block"]
        self.emit("HookResolved", {"event": event, "target": target, "action": "block" if blocking else "allow",
                                   "reason": blocking[0] if blocking else "",
                                   "duration_ms": round((time.monotonic() - began) * 1000)})
        return blocking[0] if blocking else None

    async def hook(self, member, hook, event, target, data):
        payload = {"id": str(uuid.uuid4()), "subscription_id": hook["id"], "event": event, "target": target,
                   "input_data": dict({"hook_event_name": event, "session_id": self.session.id, "cwd": self.hub.work_dir}, **data)}
        task = asyncio.ensure_future(self.session.ask_one("hook", payload, member))
        done, _ = await asyncio.wait([task], timeout=hook["timeout"])
        if not done:
            it = next((one for one in self.session.open.values() if one.payload["id"] == payload["id"]), None)
            if it:
                self.session.settle(it, {"status": "expired", "reason": "deadline", "by": "timer"})
        _, response = await task
        if response is None:
            return ("block", "The hook %s failed" % hook["id"]) if hook["on_failure"] == "block" else ("allow", "")
        return response["action"], response["reason"]


def canonical(arguments):
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        return arguments


def status(**known):
    fields = {"context_usage": None, "context_tokens": None, "max_context_tokens": None, "token_usage": None,
              "message_id": None, "plan_mode": None, "mcp_status": None}
    return dict(fields, **known)


def question_of(text, labels, header="", body="", other_label=""):
    return {"question": text, "header": header, "options": [{"label": label, "description": ""} for label in labels],
            "multi_select": False, "body": body, "other_label": other_label, "other_description": ""}


def first_value(response):
    values = [v for v in (response or {"answers": {}})["answers"].values() if v.strip()]
    return values[0] if values else None


def read_questions(arguments):
    """The fault of a call of the question tool, or its questions with every field."""
    given = arguments.get("questions")
    if not isinstance(given, list) or not 1 <= len(given) <= 4:
        return "expected 1 to 4 questions", None
    questions = []
    for one in given:
        if not isinstance(one, dict) or not isinstance(one.get("question"), str) or not one["question"].strip():
            return "expected a question with a text", None
        if one["question"] == "__proto__":
            return "__proto__ cannot be a question", None
        options = one.get("options")
        if not isinstance(options, list) or not 2 <= len(options) <= 4:
            return "expected 2 to 4 options", None
        read = []
        for option in options:
            if not isinstance(option, dict) or not isinstance(option.get("label"), str) or not option["label"].strip():
                return "expected options with labels", None
            if not isinstance(option.get("description", ""), str):
                return "expected descriptions that are texts", None
            read.append({"label": option["label"], "description": option.get("description", "")})
        multi = one.get("multi_select", one.get("multiSelect", False))
        if not isinstance(multi, bool) or not isinstance(one.get("header", ""), str):
            return "expected multi_select as true or false, and header as a text", None
        if len({option["label"] for option in read}) < len(read):
            return "two options have one label", None
        questions.append({"question": one["question"], "header": one.get("header", ""), "options": read,
                          "multi_select": multi, "body": "", "other_label": "", "other_description": ""})
    if len({q["question"] for q in questions}) < len(questions):
        return "two questions have one text", None
    return None, questions


def told_result(outcome, response):
    """What the model is told of a question's end."""
    kind, reason = outcome["status"], outcome.get("reason")
    extras = {"degraded": outcome["degraded"]} if "degraded" in outcome else None
    if kind == "answered":
        told = {"answers": response["answers"]}
        notes = [item["note"] for item in response["items"] if item.get("note")]
        if outcome.get("note"):
            notes.append(outcome["note"])
        if notes:
            told["note"] = "\n".join(notes)
        output = json.dumps(told, ensure_ascii=False)
        images = [part for item in response["items"] for part in item.get("attachments", [])]
        if images:
            output = [{"type": "text", "text": output}] + images
        return result_of(output, "User has answered.", brief="User answered", extras=extras)
    if kind == "declined" and reason == "dismissed":
        return empty_result("User dismissed the question without answering.", "User dismissed")
    if kind == "declined":
        note = "User wants to talk about the question before answering it."
        if outcome.get("note"):
            note += " They said: " + outcome["note"]
        return empty_result(note, "User wants to discuss")
    if reason == "unattended" and outcome["by"] == "policy":
        return empty_result("Running in afk mode. No user is present. Make your own decision.", "Auto-dismissed (afk)")
    if reason == "unsupported":
        return failure(UNSUPPORTED, "Client unsupported")
    return failure("Failed to get user response.", "Question failed")


def empty_result(note, brief):
    return result_of(json.dumps({"answers": {}, "note": note}, ensure_ascii=False), "", brief=brief)


# The hub: the settings, the model's script and the sessions.

class Hub:
    def __init__(self):
        self.hold = self.afk = self.yolo = False
        self.grace = 0
        self.work_dir = os.getcwd()
        self.scripts = []
        self.position = 0
        self.model = "scripted"
        self.takes = {"image_in", "audio_in", "video_in"}
        self.context_size = 100000
        self.attempts = 3
        self.max_steps = 100
        self.sessions = {}
        self.web_socket = False

    def script(self):
        """The next answer of the model, in parts."""
        if self.position >= len(self.scripts):
            raise ProviderFailure(400, "The script has ended")
        text = self.scripts[self.position]
        self.position += 1
        parts = []
        for line in text.split("\n"):
            kind, colon, value = line.partition(":")
            kind, value = kind.strip(), value[1:] if value.startswith(" ") else value
            if not colon:
                continue
            if kind in ("tool_call", "tool_call_part"):
                value = json.loads(value)
            elif kind == "usage":
                value = {k: int(v) for k, v in (pair.split("=") for pair in value.split())}
            elif kind == "error":
                code, _, words = value.partition(" ")
                value = (int(code), words)
            elif kind not in ("text", "think"):
                continue
            parts.append((kind, value))
        if not any(kind != "usage" for kind, _ in parts):
            raise ProviderFailure(None, "The model said nothing")
        return parts

    async def drained(self, session):
        await asyncio.sleep(0)

    def session_changed(self, session):
        pass

    def session_of(self, request_id):
        return next((s for s in self.sessions.values() if s.find(request_id)), None)


class Connection:
    """One client's side of the wire: envelope and methods."""

    def __init__(self, hub, session=None):
        self.hub = hub
        self.session = session
        self.id = str(uuid.uuid4())
        self.member = Member()
        self.joined = False
        self.initialized = False
        self.decided = False
        self.in_lobby = False
        self.outstanding = {}
        self.answering = {}
        self.replay_task = None
        self.replay_cancelled = False
        self.attached_at = 0
        self.refusals = []
        self.closed = False
        self.held = None
        self.last_write = time.monotonic()

    def write(self, text):
        raise NotImplementedError

    def close(self, code, reason=""):
        raise NotImplementedError

    def tell(self, text):
        if self.held is None:
            self.write(text)
        else:
            self.held.append(text)

    def event(self, kind, payload, members):
        self.write(write_json({"jsonrpc": "2.0", "method": "event", "params": dict({"type": kind, "payload": payload}, **members)}))

    def reply(self, rpc_id, result):
        text = write_json({"jsonrpc": "2.0", "id": rpc_id, "result": result})
        if units(text) > MAX_OUT:
            self.error(rpc_id, Refused(-32603, "The result is too long"))
        else:
            self.write(text)

    def error(self, rpc_id, refused):
        self.write(write_json({"jsonrpc": "2.0", "id": rpc_id, "error": {
            "code": refused.code, "message": refused.message, "data": refused.data}}))

    def finish(self, rpc_id, result, error):
        """Answers a prompt that waited for its turn."""
        self.answering.pop(rpc_id, None)
        if self.closed:
            return
        if error is not None:
            self.error(rpc_id, error)
        else:
            self.reply(rpc_id, result)

    # The envelope.

    def receive(self, text):
        try:
            message = read_json(text)
            if not isinstance(message, dict):
                raise Refused(-32600, "A message is one JSON object")
            if "jsonrpc" in message and message["jsonrpc"] != "2.0":
                raise Refused(-32600, "jsonrpc: expected the text 2.0")
            rpc_id = message.get("id")
            if rpc_id is not None and not isinstance(rpc_id, str) and not (is_int(rpc_id) and abs(rpc_id) < 2 ** 53):
                raise Refused(-32600, "id: expected a text or an integer")
            if "method" in message:
                if not isinstance(message["method"], str):
                    raise Refused(-32600, "method: expected a text")
                if "result" in message or "error" in message:
                    return
            elif "error" in message:
                error = message["error"]
                if not isinstance(error, dict) or not is_int(error.get("code")) or not isinstance(error.get("message"), str):
                    raise Refused(-32600, "error: expected a code and a message")
        except Refused as refused:
            self.error(None, refused)
            return
        if "method" not in message:
            self.response(rpc_id, message)
        elif rpc_id is None:
            self.notification(message["method"], message.get("params"))
        else:
            try:
                self.request(rpc_id, message["method"], message.get("params"))
            except Refused as refused:
                self.error(rpc_id, refused)

    def response(self, rpc_id, message):
        if rpc_id not in self.outstanding or "result" not in message and "error" not in message:
            return
        it = self.outstanding.pop(rpc_id)
        if self.session:
            self.session.base_reply(self.member, it, message.get("result"), message.get("error"))

    def notification(self, method, params):
        if method != "$/cancelRequest" or not isinstance(params, dict):
            return
        what = self.answering.get(params.get("id")) if isinstance(params.get("id"), (str, int)) else None
        if what == "replay":
            self.replay_cancelled = True
        elif what and self.session and self.session.turn is what:
            self.session.cancel()

    def request(self, rpc_id, method, params):
        known = BASE_METHODS + (EXTENDED_METHODS if self.member.extended else [])
        if self.member.extended and self.hub.web_socket:
            known = known + SESSION_METHODS
        if method not in known:
            raise Refused(-32601, "There is no method " + method[:100])
        if self.in_lobby and method not in SESSION_METHODS:
            raise Refused(-32000, "This connection is in no session")
        if method in BASE_METHODS and not self.decided and method != "initialize":
            self.decided = True
        if method in ("initialize", "prompt", "steer", "set_plan_mode") + tuple(EXTENDED_METHODS) + ("close_session",):
            must(isinstance(params, dict), "params: expected an object")
        getattr(self, "on_" + method)(rpc_id, params)

    def join(self):
        if not self.joined:
            self.session = self.session or self.hub.make_session()
            self.joined = True
            if self.session.journal:
                self.attached_at = self.session.journal.size()
            self.member.connection = self
            self.session.attach(self.member)

    # The methods.

    def on_initialize(self, rpc_id, params):
        must(isinstance(params.get("protocol_version"), str), "protocol_version: expected a text")
        client, capabilities = params.get("client"), params.get("capabilities")
        if client is not None:
            must(isinstance(client, dict) and isinstance(client.get("name"), str), "client.name: expected a text")
            must(client.get("version") is None or isinstance(client["version"], str), "client.version: expected a text")
        if capabilities is not None:
            must(isinstance(capabilities, dict), "capabilities: expected an object")
            for key in ("supports_question", "supports_plan_mode"):
                must(isinstance(capabilities.get(key, False), bool), "capabilities.%s: expected true or false" % key)
        tools, hooks = params.get("external_tools"), params.get("hooks")
        check_tools(tools)
        check_hooks(hooks)
        if self.initialized and self.answering:
            raise Refused(-32000, "A prompt or replay is being answered")
        askwire = read_askwire(capabilities)
        named = params.get("session") if not self.decided and askwire else None
        if params.get("lobby") is True and askwire and named is None and self.may_stay_outside():
            self.in_lobby = self.decided = self.initialized = self.member.extended = True
            self.reply(rpc_id, {"protocol_version": VERSION, "server": SERVER, "slash_commands": [],
                                "hooks": {"supported_events": HOOK_EVENTS, "configured": {}},
                                "capabilities": {"supports_question": True, "askwire": self.declared()}, "lobby": {}})
            return
        self.find_session(named)
        extended = self.member.extended
        if not self.decided:
            self.decided = True
            extended = askwire is not None
        if not self.initialized and extended and askwire.get("client_id"):
            self.take_place(askwire["client_id"])
        self.join()
        member = self.member
        member.extended = extended
        if extended and not self.initialized:
            member.askwire = askwire
            member.client_id = askwire.get("client_id")
        if client is not None:
            member.name = client["name"]
        if capabilities is not None:
            member.question = capabilities.get("supports_question", False)
            member.plan_mode = capabilities.get("supports_plan_mode", False)
        member.version = (1, 2)
        if client is not None or capabilities is not None or self.initialized:
            match = re.match(r"^(\d+)\.(\d+)$", params["protocol_version"])
            member.version = (int(match.group(1)), int(match.group(2))) if match else (1, 2)
        self.initialized = True
        result = {"protocol_version": VERSION, "server": SERVER,
                  "slash_commands": [{"name": "clear", "description": "Forget the conversation", "aliases": []}]}
        if tools is not None or not self.hub.web_socket:
            member.tools = {}
        if tools:
            result["external_tools"] = self.register(tools)
        configured = self.subscribe(hooks)
        result["hooks"] = {"supported_events": HOOK_EVENTS, "configured": configured}
        result["capabilities"] = {"supports_question": True}
        missed = []
        if extended:
            result["capabilities"]["askwire"] = self.declared()
            result["session"], missed = self.where(named)
        self.reply(rpc_id, result)
        for send in missed:
            send()
        self.session.put_open(member)

    def declared(self):
        declared = {"revision": 3, "notes": True, "attachments": True, "skip": True}
        return dict(declared, watch=True, inbox=True) if self.hub.web_socket else declared

    def may_stay_outside(self):
        """True where a connection may be in no session."""
        return self.hub.web_socket and not self.decided and self.session is None

    def find_session(self, named):
        if named is None:
            return
        must(isinstance(named, dict) and isinstance(named.get("id"), str), "session.id: expected a text")
        must(named.get("stream") is None or isinstance(named["stream"], str), "session.stream: expected a text")
        after = named.get("after_seq")
        must(after is None or is_int(after) and after >= 0, "session.after_seq: expected a whole number")
        if self.session is not None:
            if named["id"] != self.session.id:
                if named["id"] in self.hub.sessions:
                    raise Refused(-32012, "That is another session")
                raise Refused(-32011 if not self.hub.web_socket else -32012, "That is not the session")
            return
        if named["id"] not in self.hub.sessions:
            raise Refused(-32011, "There is no such session")
        self.session = self.hub.sessions[named["id"]]

    def take_place(self, client_id):
        """A connection of a client that has another one, or had, takes its place."""
        if self.session is None or self.joined:
            return
        older = next((m for m in self.session.members if m.client_id == client_id), None)
        if older is None:
            return
        former, older.connection = older.connection, self
        older.lost_at = None
        self.member = older
        self.joined = True
        if former is not None:
            former.member = Member()
            former.session = None
            former.close(4409, "the same client connected again")

    def where(self, named):
        """What an extended client is told of its session, and what it missed."""
        session, member = self.session, self.member
        told = {"id": session.id, "stream": session.stream, "seq": session.seq, "state": session.state(),
                "plan_mode": session.plan_mode, "pending": [it.id for it in session.open.values()], "reset": False}
        if session.turn:
            told["turn_id"] = session.turn.id
        stream = (named or {}).get("stream")
        after = (named or {}).get("after_seq") or 0
        missed = []
        had = set()
        if stream is not None:
            first = session.buffer[0][0] if session.buffer else session.seq + 1
            if stream != session.stream or after > session.seq or after + 1 < first:
                told["reset"] = True
            else:
                had = {it for it in session.open.values() if it.sent.get(member) and it.seq <= after}
                for seq, entry, _ in session.buffer:
                    if seq > after:
                        missed.append(self.again(entry, had))
        for it in list(session.open.values()):
            if it in had:
                continue
            if it.member is member:
                missed.append(lambda it=it: session.put(member, it, {}))
            elif it.kind in ("question", "approval"):
                it.sent.pop(member, None)
        for it in had:
            it.sent[member] = True
        return told, missed

    def again(self, entry, had):
        if entry[0] == "event":
            return lambda: self.write(entry[1])
        _, it, numbered = entry
        if it.outcome or it.kind in ("tool_call", "hook") or self.member in it.off or not self.session.shows(self.member, it):
            return lambda: self.event("InteractionOpened", {"request_id": it.id, "kind": it.kind}, numbered)
        had.add(it)
        return lambda: self.session.put(self.member, it, numbered)

    def register(self, tools):
        accepted, rejected = [], []
        total = 0
        for index, tool in enumerate(tools):
            name = tool["name"]
            size = len(write_json(tool))
            total += size
            others = [m for m in self.session.members if m is not self.member]
            reason = None
            if name in OWN_TOOLS:
                reason = "conflicts with builtin tool"
            elif any(name in m.tools for m in others):
                reason = "provided by another client"
            elif total > 262144:
                reason = "too many bytes"
            elif len(write_json(tool["parameters"])) > 65536:
                reason = "parameters: expected at most 65536 bytes"
            elif name not in self.member.tools and len(self.member.tools) >= 128:
                reason = "too many tools"
            else:
                fault = check_schema(tool["parameters"], tool["parameters"])
                reason = "invalid schema: " + fault if fault else None
            if reason:
                rejected.append({"name": name, "reason": reason})
            else:
                self.member.tools[name] = tool["parameters"]
                accepted.append(name)
        return {"accepted": accepted, "rejected": rejected}

    def subscribe(self, hooks):
        if hooks is None and self.hub.web_socket and self.member.hooks and self.member.client_id:
            kept = self.member.hooks
        else:
            kept = {}
            for hook in hooks or []:
                good = hook["event"] in HOOK_EVENTS and len(hook.get("matcher") or "") <= 256 and is_pattern(hook.get("matcher") or "")
                if good and (len(kept) < 128 or hook["id"] in kept):
                    kept.pop(hook["id"], None)
                    kept[hook["id"]] = {"id": hook["id"], "event": hook["event"], "matcher": hook.get("matcher") or "",
                                        "timeout": hook.get("timeout", 30), "on_failure": hook.get("on_failure", "allow")}
        self.member.hooks = kept
        return dict(collections.Counter(hook["event"] for hook in kept.values()))

    def on_prompt(self, rpc_id, params):
        must("user_input" in params, "user_input: expected a text or content parts")
        content = check_content(params["user_input"], "user_input")
        must(depth_of(content) <= NESTING - 4, "user_input: nested too deep")
        turn_id = params.get("turn_id") if self.member.extended else None
        must(turn_id is None or isinstance(turn_id, str) and 1 <= len(turn_id) <= 128, "turn_id: expected 1 to 128 characters")
        self.join()
        session = self.session
        if turn_id is not None and session.turn and session.turn.id == turn_id:
            session.turn.waiters.append((self, rpc_id))
            self.answering[rpc_id] = session.turn
            return
        if turn_id is not None and turn_id in session.turns:
            result, error = session.turns[turn_id]
            self.finish(rpc_id, result, error)
            return
        if session.turn:
            raise Refused(-32000, "A turn is running already")
        if self.replay_task:
            raise Refused(-32000, "A replay is running")
        session.begin(self, rpc_id, content, turn_id)
        self.answering[rpc_id] = session.turn

    def on_steer(self, rpc_id, params):
        must("user_input" in params, "user_input: expected a text or content parts")
        content = check_content(params["user_input"], "user_input")
        must(depth_of(content) <= NESTING - 4, "user_input: nested too deep")
        if self.replay_task or not self.session or not self.session.turn:
            raise Refused(-32000, "No turn is running")
        if len(self.session.turn.steers) >= 64:
            raise Refused(-32020, "Too much waits", {"limit": "steers"})
        self.session.turn.steers.append(content)
        self.reply(rpc_id, {"status": "steered"})

    def on_cancel(self, rpc_id, params):
        if self.replay_task:
            self.reply(rpc_id, {})
            self.replay_cancelled = True
            return
        if not self.session or not self.session.turn:
            raise Refused(-32000, "No turn is running")
        self.reply(rpc_id, {})
        self.session.cancel()

    def on_set_plan_mode(self, rpc_id, params):
        must(isinstance(params.get("enabled"), bool), "enabled: expected true or false")
        self.join()
        self.session.plan_mode = params["enabled"]
        self.session.emit("StatusUpdate", status(plan_mode=params["enabled"]))
        self.reply(rpc_id, {"status": "ok", "plan_mode": params["enabled"]})

    def on_answer(self, rpc_id, params):
        """The reply stands for the event, so what has a later number waits for it."""
        self.held = []
        try:
            self.reply(rpc_id, self.session.answer(self, params))
        finally:
            held, self.held = self.held, None
            for text in held:
                self.write(text)

    def on_touch(self, rpc_id, params):
        self.reply(rpc_id, self.session.touch(self, params))

    def on_release(self, rpc_id, params):
        self.reply(rpc_id, self.session.release(self, params))

    def on_replay(self, rpc_id, params):
        if self.replay_task or self.session and self.session.turn and not self.member.extended:
            raise Refused(-32000, "A turn or a replay is running")
        self.answering[rpc_id] = "replay"
        self.replay_cancelled = False
        self.replay_task = asyncio.ensure_future(self.replay(rpc_id))

    async def replay(self, rpc_id):
        counts = {"events": 0, "requests": 0}
        session = self.session
        journal = session.journal if session else None
        end = (self.attached_at if session.turn else journal.size()) if journal else 0
        for kind, payload, _ in journal.records(end) if journal else []:
            await asyncio.sleep(0)
            if self.replay_cancelled or self.closed:
                break
            if self.member.extended and kind == "InteractionOpened" and payload["kind"] == "approval":
                kind, payload = "ApprovalRequest", payload["request"]
            if kind in NOTES and not (self.member.extended and kind == "InteractionSettled"):
                continue
            counts["requests" if kind in REQUESTS else "events"] += 1
            if self.member.extended:
                told = payload
                if kind in ("QuestionRequest", "ToolCallRequest"):
                    told = Interaction("question" if kind == "QuestionRequest" else "tool_call", payload).extended()
                if kind == "InteractionSettled":
                    told = {key: payload[key] for key in ("request_id", "kind", "outcome", "response") if key in payload}
                self.event(kind, told, {"replayed": True})
            elif kind in REQUESTS:
                self.write(write_json({"jsonrpc": "2.0", "method": "request", "id": payload["id"],
                                       "params": {"type": kind, "payload": payload}}))
            elif self.member.version >= SINCE.get(kind, (0, 0)):
                self.event(kind, payload, {})
        result = "cancelled" if self.replay_cancelled else "finished"
        self.replay_task = None
        self.answering.pop(rpc_id, None)
        if not self.closed:
            self.reply(rpc_id, dict({"status": result}, **counts))

    def lost(self):
        """The connection has ended."""
        self.closed = True
        if self.joined and self.session:
            self.session.lose(self.member, self)

    def still(self):
        """Says that the connection is alive where nothing was sent for 15 s."""
        seq = self.session.seq if self.session else 0 if self.in_lobby else None
        if self.member.extended and seq is not None and time.monotonic() - self.last_write >= 15:
            self.write(write_json({"jsonrpc": "2.0", "method": "alive", "params": {"seq": seq}}))


def check_tools(tools):
    if tools is None:
        return
    must(isinstance(tools, list), "external_tools: expected a list")
    for index, tool in enumerate(tools):
        at = "external_tools[%d]" % index
        must(isinstance(tool, dict), at + ": expected an object")
        must(isinstance(tool.get("name"), str), at + ".name: expected a text")
        must(isinstance(tool.get("description"), str), at + ".description: expected a text")
        must(isinstance(tool.get("parameters"), dict), at + ".parameters: expected an object")


def check_hooks(hooks):
    if hooks is None:
        return
    must(isinstance(hooks, list), "hooks: expected a list")
    for index, hook in enumerate(hooks):
        at = "hooks[%d]" % index
        must(isinstance(hook, dict), at + ": expected an object")
        for name in ("id", "event"):
            must(isinstance(hook.get(name), str), "%s.%s: expected a text" % (at, name))
        must(isinstance(hook.get("matcher", ""), str), at + ".matcher: expected a text")
        timeout = hook.get("timeout", 30)
        must(is_int(timeout) and 1 <= timeout <= 86400, at + ".timeout: expected 1 to 86400")
        must(hook.get("on_failure", "allow") in ("allow", "block"), at + ".on_failure: expected allow or block")


def read_askwire(capabilities):
    """What a client declared of the extended profile, or None."""
    askwire = (capabilities or {}).get("askwire")
    if not isinstance(askwire, dict) or not is_int(askwire.get("revision")) or askwire["revision"] < 3:
        return None
    known = {key: askwire[key] is True for key in ("previews", "notes", "attachments", "skip", "deadline", "fields",
                                                   "approval_options", "edits") if key in askwire}
    if isinstance(askwire.get("client_id"), str):
        known["client_id"] = askwire["client_id"]
    return known


# Standard input and output.

class Stdio(Connection):
    def __init__(self, hub, session):
        super().__init__(hub, session)
        self.framed = False

    def write(self, text):
        if self.closed:
            return
        data = text.encode("utf-8", "replace")
        data = b"Content-Length: %d\r\n\r\n%s" % (len(data), data) if self.framed else data + b"\n"
        self.last_write = time.monotonic()
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(1, view):]
        except OSError:
            self.closed = True

    def close(self, code, reason=""):
        self.closed = True


class Lines:
    """Cuts a stream into lines, and skips those over the limit."""

    def __init__(self, connection):
        self.connection = connection
        self.parts, self.size, self.over = [], 0, False

    def feed(self, data):
        while data:
            end = data.find(b"\n")
            piece, data, whole = (data, b"", False) if end < 0 else (data[:end], data[end + 1:], True)
            self.size += len(piece)
            if self.size > MAX_IN:
                self.over, self.parts = True, []
            elif piece:
                self.parts.append(piece)
            if whole:
                self.line()

    def line(self):
        text, over = b"".join(self.parts), self.over
        self.parts, self.size, self.over = [], 0, False
        if over:
            self.connection.error(None, Refused(-32600, "The line is too long"))
        else:
            self.connection.receive(text.decode("utf-8", "replace"))

    def end(self):
        if self.size:
            self.line()


class Bodies:
    """Cuts a stream into messages with headers."""

    def __init__(self, connection):
        self.connection = connection
        connection.framed = True
        self.data = bytearray()
        self.wanted = None
        self.skip = False

    def fail(self, words):
        self.connection.error(None, Refused(-32700, words))
        raise EOFError

    def feed(self, data):
        self.data += data
        while True:
            if self.wanted is None:
                end = self.data.find(b"\r\n\r\n")
                if end < 0 or end > 8192:
                    if len(self.data) > 8192:
                        self.fail("The header is too long")
                    return
                self.header(bytes(self.data[:end]))
                del self.data[:end + 4]
            if self.skip:
                gone = min(self.wanted, len(self.data))
                del self.data[:gone]
                self.wanted -= gone
                if self.wanted:
                    return
                self.connection.error(None, Refused(-32600, "The body is too long"))
            else:
                if len(self.data) < self.wanted:
                    return
                text = bytes(self.data[:self.wanted]).decode("utf-8", "replace")
                del self.data[:self.wanted]
                self.connection.receive(text)
            self.wanted = None

    def header(self, header):
        length = None
        for line in header.decode("latin-1").split("\r\n"):
            name, colon, value = line.partition(":")
            name, value = name.strip().lower(), value.strip()
            if name == "content-length" and re.match(r"^\d{1,15}$", value) and length is None:
                length = int(value)
            elif name == "content-length" or not colon:
                self.fail("The header has no valid Content-Length")
            elif name == "content-type":
                charset = re.search(r"charset=\"?([^\";\s]*)", value, re.I)
                if charset and charset.group(1).lower() not in ("utf-8", "utf8"):
                    self.fail("The charset is not known")
        if length is None:
            self.fail("The header has no valid Content-Length")
        self.wanted, self.skip = length, length > MAX_IN

    def end(self):
        if self.data or self.wanted is not None:
            self.fail("The stream ended inside a message")


def read_options(arguments):
    options = {"session": None}
    flags = {"--wire", "--yolo", "--afk", "--thinking", "--no-thinking", "--auto-approve", "--continue"}
    values = {"--config-file", "--work-dir", "--session", "--max-steps-per-turn", "--model", "--agent-file", "--skills-dir",
              "--mcp-config-file", "--script", "--listen"}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in values and rest:
            options[word[2:]] = rest.pop(0)
        elif word in flags:
            options[word[2:]] = True
        else:
            sys.exit("unknown argument " + word)
    return options


def configure(hub, options):
    hub.work_dir = os.path.abspath(options.get("work-dir", os.getcwd()))
    hub.afk = bool(options.get("afk"))
    hub.yolo = bool(options.get("yolo") or options.get("auto-approve"))
    if "config-file" in options:
        with open(options["config-file"], encoding="utf-8") as file:
            config = json.load(file)
        name = options.get("model") or config.get("default_model")
        model = (config.get("models") or {}).get(name)
        hub.model = None if model is None else name
        if model is not None:
            hub.context_size = model.get("max_context_size", 100000)
            if "capabilities" in model:
                hub.takes = set(model["capabilities"] or [])
            provider = (config.get("providers") or {}).get(model.get("provider")) or {}
            path = (provider.get("env") or {}).get("KIMI_SCRIPTED_ECHO_SCRIPTS")
            if path:
                options["script"] = path
        control = config.get("loop_control") or {}
        hub.attempts = max(1, control.get("max_retries_per_step", 3))
        hub.max_steps = control.get("max_steps_per_turn", 100)
    if "max-steps-per-turn" in options:
        hub.max_steps = int(options["max-steps-per-turn"])
    if "script" in options:
        with open(options["script"], encoding="utf-8") as file:
            hub.scripts = json.load(file)


def session_folder(hub, session_id):
    share = os.environ.get("KIMI_SHARE_DIR") or os.environ.get("ASKWIRE_HOME") or os.path.expanduser("~/.askwire")
    md5 = hashlib.md5(hub.work_dir.encode()).hexdigest()
    return os.path.join(share, "sessions", md5, session_id)


async def serve_stdio(hub, session_id):
    session = Session(hub, session_id, Journal(session_folder(hub, session_id)))
    hub.sessions[session_id] = session
    connection = Stdio(hub, session)
    queue = asyncio.Queue()
    loop = asyncio.get_running_loop()
    gate = threading.Semaphore(64)

    def read():
        data = True
        while data:
            gate.acquire()
            data = os.read(0, 262144)
            loop.call_soon_threadsafe(queue.put_nowait, data)

    def terminate():
        session.close("shutdown")
        os._exit(0)

    loop.add_signal_handler(signal.SIGTERM, terminate)
    loop.add_signal_handler(signal.SIGINT, terminate)
    threading.Thread(target=read, daemon=True).start()

    async def watch():
        while True:
            await asyncio.sleep(0.5)
            connection.still()

    watcher = asyncio.ensure_future(watch())
    reader, first = None, b""
    try:
        while True:
            data = await queue.get()
            gate.release()
            if reader is None:
                first += data
                if data and len(first) < 8 and b"content-".startswith(first.lower()):
                    continue
                reader = Bodies(connection) if first[:8].lower() == b"content-" else Lines(connection)
                reader.feed(first)
                if not data:
                    reader.end()
                    break
            elif data:
                reader.feed(data)
            else:
                reader.end()
                break
            await asyncio.sleep(0)
    except EOFError:
        pass
    watcher.cancel()
    for _ in range(3):
        await asyncio.sleep(0)
    for it in list(session.open.values()):
        session.settle(it, {"status": "unavailable", "reason": "client_lost", "by": "system"})
    session.close("shutdown")
    os._exit(0)


def main(arguments):
    if arguments[:1] == ["info"]:
        print(json.dumps({"kimi_cli_version": "0.1.0", "wire_protocol_version": VERSION}))
        return
    options = read_options(arguments)
    hub = Hub()
    configure(hub, options)
    asyncio.run(serve_stdio(hub, options["session"] or str(uuid.uuid4())))


if __name__ == "__main__":
    main(sys.argv[1:])
