"""A client of an agent over the JSON-RPC engine of pygls, unchanged. It speaks under headers of Content-Length.

Usage: pygls_client.py TURNS COMMAND [ARGUMENT...]

TURNS is a JSON list. A turn has a "prompt" and the "reaction" to what is asked in it: the members of an answer, or
"crash", or "cancel". For each turn a line is printed: {"status", "said"}.
"""
import asyncio
import json
import sys

from pygls.client import JsonRPCClient


class Person:
    """Answers what is asked, as the turn at hand says."""

    def __init__(self, client):
        self.client = client
        self.reaction = None
        self.said = ""
        self.over = asyncio.Event()

    def begin(self, reaction):
        self.reaction, self.said, self.over = reaction, "", asyncio.Event()

    def hear(self, told):
        if told.type == "ContentPart":
            self.said += told.payload.text

    async def answer(self, asked):
        if self.reaction == "crash":
            raise RuntimeError("no window")
        if self.reaction == "cancel":
            await self.client.protocol.send_request_async("cancel")
            await self.over.wait()
            return None
        return {"request_id": asked.payload.id, **self.reaction}


async def main(turns, command):
    client = JsonRPCClient()
    person = Person(client)

    @client.feature("event")
    def hear(told):
        person.hear(told)

    @client.feature("request")
    async def answer(asked):
        return await person.answer(asked)

    await client.start_io(*command)
    call = client.protocol.send_request_async
    await call("initialize", {
        "protocol_version": "1.10",
        "client": {"name": "pygls", "version": "2.1.1"},
        "capabilities": {"supports_question": True},
    })
    for turn in turns:
        person.begin(turn["reaction"])
        result = await call("prompt", {"user_input": turn["prompt"]})
        person.over.set()
        print(json.dumps({"status": result.status, "said": person.said}), flush=True)
    client.protocol.writer.close()
    await client.stop()


asyncio.run(main(json.loads(sys.argv[1]), sys.argv[2:]))
