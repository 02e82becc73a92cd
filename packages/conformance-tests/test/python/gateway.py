"""A gateway of the wire in Python: the server of server.py behind WebSockets, written by hand.

Standard library only. `python3 gateway.py --script FILE --work-dir FOLDER` prints the address of a session.
"""
import asyncio
import base64
import codecs
import hashlib
import hmac
import json
import secrets
import sys
import time
import uuid

from server import MAX_IN, Connection, Hub, Journal, Refused, Session, configure, must, read_options, session_folder, write_json

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
UNSENT = 4194304
PING_EVERY = 30


class Gateway(Hub):
    """The sessions of one server, and who may connect to them."""

    def __init__(self):
        super().__init__()
        self.hold = True
        self.grace = 30
        self.web_socket = True
        self.token = secrets.token_urlsafe(32)
        self.port = 0
        self.connections = set()
        self.watchers = {}
        self.inboxes = {}
        self.wrong = {}

    def make_session(self):
        session_id = str(uuid.uuid4())
        session = Session(self, session_id, Journal(session_folder(self, session_id)))
        self.sessions[session_id] = session
        self.session_changed(session)
        return session

    def session_changed(self, session):
        for connection in list(self.watchers):
            connection.tell_changes()
        for connection in list(self.inboxes):
            connection.tell_requests()

    async def drained(self, session):
        """Waits for slow clients, ten seconds at most."""
        await asyncio.sleep(0)
        end = time.monotonic() + 10
        while True:
            slow = [m.connection for m in session.members if m.here and m.connection.unsent() > UNSENT // 4]
            if not slow:
                return
            if time.monotonic() > end:
                for connection in slow:
                    connection.close(4408, "the client does not read")
                return
            await asyncio.sleep(0.02)

    # Who may connect.

    def host_is_ours(self, host):
        name = host.rsplit(":", 1)[0] if ":" in host and not host.endswith("]") else host
        return name.lower() in ("localhost", "127.0.0.1", "[::1]")

    def origin_is_ours(self, origin, host):
        return origin in ("http://" + host, "https://" + host)

    def right_token(self, headers):
        given = ""
        authorization = headers.get("authorization", "")
        if authorization.lower().startswith("bearer "):
            given = authorization[7:].strip()
        else:
            for name in self.subprotocols(headers):
                if name.startswith("askwire.token."):
                    coded = name[len("askwire.token."):]
                    try:
                        given = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode("utf-8", "replace")
                    except ValueError:
                        given = ""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    @staticmethod
    def subprotocols(headers):
        return [name.strip() for name in headers.get("sec-websocket-protocol", "").split(",") if name.strip()]

    def too_often(self, address):
        times = [t for t in self.wrong.get(address, []) if time.monotonic() - t < 60]
        self.wrong[address] = times + [time.monotonic()]
        return len(times) >= 10

    async def accept(self, reader, writer):
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError, ConnectionError):
            writer.close()
            return
        lines = head.decode("latin-1").split("\r\n")
        path = (lines[0].split(" ") + ["", ""])[1].partition("?")[0]
        headers = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if colon:
                headers[name.strip().lower()] = value.strip()
        host = headers.get("host", "")
        if not self.host_is_ours(host):
            return self.turn_away(writer, "403 Forbidden")
        if "origin" in headers and not self.origin_is_ours(headers["origin"], host):
            return self.turn_away(writer, "403 Forbidden")
        if path != "/wire" and not path.startswith("/wire/"):
            return self.turn_away(writer, "404 Not Found")
        key = headers.get("sec-websocket-key")
        if headers.get("upgrade", "").lower() != "websocket" or key is None:
            return self.turn_away(writer, "426 Upgrade Required")
        right = self.right_token(headers)
        address = (writer.get_extra_info("peername") or ("?",))[0]
        if not right and self.too_often(address):
            return self.turn_away(writer, "429 Too Many Requests")
        accepted = base64.b64encode(hashlib.sha1(key.encode() + MAGIC).digest()).decode()
        answer = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: " + accepted]
        if "askwire.v1" in self.subprotocols(headers):
            answer.append("Sec-WebSocket-Protocol: askwire.v1")
        writer.write(("\r\n".join(answer) + "\r\n\r\n").encode())
        session_id = path[len("/wire/"):]
        connection = Socket(self, self.sessions.get(session_id), reader, writer)
        if not right:
            connection.close(4401, "the token is missing or wrong")
        elif session_id and connection.session is None:
            connection.close(4404, "there is no such session")
        elif len(self.connections) >= 1000:
            connection.close(4413, "the server is full")
        else:
            await connection.serve()
        await connection.part()

    @staticmethod
    def turn_away(writer, words):
        writer.write(("HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % words).encode())
        writer.close()


class Broken(Exception):
    """A frame that breaks the rules, with the code that closes the connection."""

    def __init__(self, code, words):
        super().__init__(words)
        self.code = code


class Socket(Connection):
    """One WebSocket of a client."""

    def __init__(self, hub, session, reader, writer):
        super().__init__(hub, session)
        self.reader = reader
        self.writer = writer
        self.known = {}
        self.change_timer = None
        self.rows = {}
        self.request_timer = None
        self.ponged = True

    def unsent(self):
        return self.writer.transport.get_write_buffer_size()

    def frame(self, opcode, payload):
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([size])
        elif size < 65536:
            head += b"\x7e" + size.to_bytes(2, "big")
        else:
            head += b"\x7f" + size.to_bytes(8, "big")
        self.writer.write(head + payload)

    def write(self, text):
        if self.closed:
            return
        if self.unsent() > UNSENT:
            self.close(4408, "the client does not read")
            return
        self.last_write = time.monotonic()
        self.frame(1, text.encode("utf-8", "replace"))

    def close(self, code, reason=""):
        if self.closed:
            return
        self.frame(8, code.to_bytes(2, "big") + reason.encode())
        transport = self.writer.transport
        self.lost()
        asyncio.get_running_loop().call_later(5, transport.abort)

    async def part(self):
        """Reads to the end what the client still sends, since a reset would take the last words to it away."""
        try:
            while await self.reader.read(262144):
                pass
        except ConnectionError:
            pass
        self.writer.close()

    def lost(self):
        if self.closed:
            return
        self.hub.connections.discard(self)
        self.hub.watchers.pop(self, None)
        self.hub.inboxes.pop(self, None)
        super().lost()

    async def serve(self):
        self.hub.connections.add(self)
        tasks = [asyncio.ensure_future(self.ping()), asyncio.ensure_future(self.stay())]
        try:
            await self.read()
        except Broken as broken:
            self.close(broken.code, str(broken))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            for task in tasks:
                task.cancel()
            self.lost()

    async def read(self):
        parts, size, decoder = [], 0, None
        while not self.closed:
            first, second = await self.reader.readexactly(2)
            last, opcode, length = bool(first & 0x80), first & 0x0f, second & 0x7f
            if first & 0x70 or not second & 0x80:
                raise Broken(1002, "a frame that breaks the protocol")
            if length == 126:
                length = int.from_bytes(await self.reader.readexactly(2), "big")
            elif length == 127:
                length = int.from_bytes(await self.reader.readexactly(8), "big")
            if opcode >= 8 and (length > 125 or not last):
                raise Broken(1002, "a control frame that is too long")
            if opcode < 8 and size + length > MAX_IN:
                raise Broken(1009, "a message over the limit")
            mask = await self.reader.readexactly(4)
            data = unmask(await self.reader.readexactly(length), mask)
            if opcode == 8:
                code = int.from_bytes(data[:2], "big") if len(data) >= 2 else 1000
                self.close(code if 1000 <= code < 5000 and code not in (1005, 1006) else 1000)
                return
            if opcode == 9:
                self.frame(10, data)
            elif opcode == 10:
                self.ponged = True
            elif opcode == 2:
                raise Broken(1003, "a binary message")
            elif opcode > 2 or (opcode == 0) != (decoder is not None):
                raise Broken(1002, "a frame that does not follow")
            else:
                if opcode == 1:
                    parts, size, decoder = [], 0, codecs.getincrementaldecoder("utf-8")()
                size += length
                try:
                    parts.append(decoder.decode(data, last))
                except UnicodeDecodeError:
                    raise Broken(1007, "a message that is no UTF-8")
                if last:
                    decoder = None
                    self.receive("".join(parts))
                    parts, size = [], 0
                    await asyncio.sleep(0)

    async def ping(self):
        while True:
            await asyncio.sleep(PING_EVERY)
            if not self.ponged:
                self.lost()
                self.writer.transport.abort()
                return
            self.ponged = False
            self.frame(9, b"")

    async def stay(self):
        while True:
            await asyncio.sleep(0.5)
            if self.closed:
                return
            self.still()

    # Sessions by method.

    def listing(self):
        return {session.id: session.listed() for session in self.hub.sessions.values()}

    def on_list_sessions(self, rpc_id, params):
        self.reply(rpc_id, {"sessions": list(self.listing().values())})

    def on_create_session(self, rpc_id, params):
        if len(self.hub.sessions) >= 256:
            raise Refused(-32020, "There are too many sessions", {"limit": "sessions"})
        session = self.hub.make_session()
        self.reply(rpc_id, {"session": session.listed()})

    def on_close_session(self, rpc_id, params):
        must(isinstance(params.get("session_id"), str), "session_id: expected a text")
        session = self.hub.sessions.get(params["session_id"])
        if session is None:
            raise Refused(-32011, "There is no such session")
        self.reply(rpc_id, {})
        session.close("session_closed")
        del self.hub.sessions[session.id]
        for member in list(session.members):
            if member.here:
                member.connection.close(1000, "the session was closed")
        self.hub.session_changed(session)

    def on_watch_sessions(self, rpc_id, params):
        self.known = self.listing()
        self.hub.watchers[self] = True
        self.reply(rpc_id, {"sessions": list(self.known.values())})

    def on_unwatch_sessions(self, rpc_id, params):
        self.hub.watchers.pop(self, None)
        self.reply(rpc_id, {})

    def tell_changes(self):
        if self.change_timer is None:
            self.change_timer = asyncio.get_running_loop().call_later(0.1, self.changes)

    def changes(self):
        self.change_timer = None
        if self not in self.hub.watchers:
            return
        if self.unsent() > 65536:
            self.tell_changes()
            return
        listed = self.listing()
        changed = [entry for key, entry in listed.items() if self.known.get(key) != entry]
        closed = [key for key in self.known if key not in listed]
        self.known = listed
        if changed or closed:
            self.write(write_json({"jsonrpc": "2.0", "method": "sessions_changed", "params": {"sessions": changed, "closed": closed}}))

    # What waits in all sessions.

    def waiting(self):
        """The rows by their places: what has a deadline first, then the oldest."""
        rows = [row for session in self.hub.sessions.values() for row in session.waiting()]
        return {place_of(row): row for row in sorted(rows, key=place_of)}

    def on_list_requests(self, rpc_id, params):
        kinds, said, limit = params.get("kinds"), params.get("text", ""), params.get("limit", 50)
        must(kinds is None or isinstance(kinds, list), "kinds: expected a list")
        must(isinstance(said, str), "text: expected a text")
        must(params.get("state") in (None, "open", "kept"), "state: expected open or kept")
        must(isinstance(limit, int) and 1 <= limit <= 200, "limit: expected 1 to 200")
        begin = after_place(params["after"]) if "after" in params else ()
        rows = [] if params.get("state") == "kept" else [
            row for place, row in self.waiting().items()
            if place > begin and (kinds is None or row["kind"] in kinds)
            and any(said.lower() in row.get(key, "").lower() for key in ("text", "title", "folder"))]
        page = {"requests": rows[:limit]}
        if len(rows) > limit:
            page["next"] = json.dumps(place_of(rows[limit - 1]))
        self.reply(rpc_id, page)

    def on_watch_requests(self, rpc_id, params):
        self.rows = self.waiting()
        self.hub.inboxes[self] = True
        self.reply(rpc_id, {"requests": list(self.rows.values())})

    def on_unwatch_requests(self, rpc_id, params):
        self.hub.inboxes.pop(self, None)
        self.reply(rpc_id, {})

    def tell_requests(self):
        if self.request_timer is None:
            self.request_timer = asyncio.get_running_loop().call_later(0.1, self.requests)

    def requests(self):
        self.request_timer = None
        if self not in self.hub.inboxes:
            return
        if self.unsent() > 65536:
            self.tell_requests()
            return
        waiting = self.waiting()
        changed = [row for place, row in waiting.items() if self.rows.get(place) != row]
        gone = [row["request_id"] for place, row in self.rows.items() if place not in waiting]
        self.rows = waiting
        if changed or gone:
            self.write(write_json({"jsonrpc": "2.0", "method": "requests_changed", "params": {"requests": changed, "gone": gone}}))


def place_of(row):
    return (row.get("deadline", "~"), row["since"], row["session_id"], row["request_id"])


def after_place(text):
    must(isinstance(text, str), "after: expected a text")
    try:
        place = json.loads(text)
    except ValueError:
        place = None
    must(isinstance(place, list) and len(place) == 4 and all(isinstance(part, str) for part in place), "after: no page gave it")
    return tuple(place)


def unmask(data, mask):
    if not data:
        return data
    repeated = (mask * (len(data) // 4 + 1))[:len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(data), "big")


async def listen(hub):
    session = hub.make_session()
    server = await asyncio.start_server(hub.accept, "127.0.0.1", 0, limit=1048576)
    hub.port = server.sockets[0].getsockname()[1]
    print("ws://127.0.0.1:%d/wire/%s#%s" % (hub.port, session.id, hub.token), flush=True)
    await server.serve_forever()


def main(arguments):
    options = read_options(arguments)
    hub = Gateway()
    configure(hub, options)
    asyncio.run(listen(hub))


if __name__ == "__main__":
    main(sys.argv[1:])
