import { want, wantMembers, wantSame } from "../../../contract/expectations.js";
import { opcodes } from "../../../programs/web-socket-frames.js";
import {
  answer,
  awaitToolResult,
  initialize,
  sendPrompt,
  wantError,
  wantResult,
  wholeClient,
} from "../../conversation.js";
import { wantedEvent, wantedRequest } from "../../messages.js";
import { askingLine } from "../../scripts.js";
import type { CheckedGateway, GatewayCheck } from "../gateway-context.js";
import type { GatewayClient } from "../gateway-line.js";
import { wantClosed } from "../joined.js";

/** Wants a connection to be closed with a code, without an answer to anything. */
export async function wantNoEntry(gateway: CheckedGateway, address: string, code: number): Promise<void> {
  const client = await gateway.connect(address);
  client.request("initialize", wholeClient);
  await wantClosed(client, code);
  want(client.messages.length === 0, "no message before the end", client.messages);
}

/** Wants an upgrade to be refused. */
export async function wantStatus(
  gateway: CheckedGateway,
  status: number,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const knocked = await gateway.knock(address, headers);
  wantSame("the HTTP status", "status" in knocked ? knocked.status : "an upgrade", status);
}

export const bytes = (message: object) => Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** Joins the first session in the words of the base profile. */
export async function joinInBase(gateway: CheckedGateway): Promise<GatewayClient> {
  const client = await gateway.connect();
  await initialize(client);
  return client;
}

/** G01 to G05: who may connect, what a frame may be, and several clients of the base profile. */
export const doorChecks: readonly GatewayCheck[] = [
  {
    id: "G01",
    title: "no token, a wrong one, or one in the query: closed with 4401 before any message is read",
    rules: ["P-SEC-1", "P-SEC-2", "P-SEC-3", "P-SEC-6"],
    async run(context) {
      const gateway = await context.start();
      const { address } = gateway;
      const [bare = "", token = ""] = address.split("#");
      await wantNoEntry(gateway, bare, 4401);
      await wantNoEntry(gateway, `${address}x`, 4401);
      await wantNoEntry(gateway, `${bare}?token=${token}`, 4401);
      const offered = Buffer.from(decodeURIComponent(token)).toString("base64url");
      const headers = { "Sec-WebSocket-Protocol": `askwire.v1, askwire.token.${offered}` };
      const client = await gateway.knock(bare, headers);
      want("send" in client, "an upgrade for a token in the subprotocol", client);
      wantSame("the selected subprotocol", client.protocol ?? "none", "askwire.v1");
      await initialize(client);
    },
  },
  {
    id: "G02",
    title: "a foreign Host or Origin, null too, gets the status 403; the server's own Origin is fine",
    rules: ["P-SEC-4", "P-SEC-5"],
    async run(context) {
      const gateway = await context.start();
      const { address } = gateway;
      await wantStatus(gateway, 403, address, { Host: "askwire.example" });
      for (const origin of ["http://askwire.example", "null"])
        await wantStatus(gateway, 403, address, { Origin: origin });
      const own = new URL(address).host;
      const client = await gateway.knock(address, { Origin: `http://${own}` });
      want("send" in client, "an upgrade for the server's own Origin", client);
      await initialize(client);
    },
  },
  {
    id: "G03",
    title:
      "a session that is not there closes with 4404, another path is not the wire's, and /wire makes a session",
    rules: ["P-SES-1"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      await wantNoEntry(gateway, gateway.addressOf("no-such-session"), 4404);
      const elsewhere = await gateway.knock(gateway.address.replace("/wire/", "/wires/"));
      want("status" in elsewhere, "no upgrade at another path", "an upgrade");
      const first = await joinInBase(gateway);
      sendPrompt(first);
      await first.next(wantedRequest("QuestionRequest"));
      // Another session has no turn that runs, and no question.
      const other = await gateway.connect(gateway.addressOf(undefined));
      await initialize(other);
      await wantError(other, other.request("cancel"), -32000);
      want(
        other.messages.every(({ method }) => method === undefined),
        "no message of the first session",
        other.messages,
      );
    },
  },
  {
    id: "G04",
    title:
      "a binary message closes with 1003, broken UTF-8 with 1007, one that is too long with 1009; broken JSON does not",
    rules: ["P-FRM-6", "P-SES-2", "P-ERR-2"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const asker = await joinInBase(gateway);
      const running = sendPrompt(asker);
      const question = await asker.next(wantedRequest("QuestionRequest"));
      const probe = bytes({ id: "p-1", method: "conformance/none" });
      for (const [opcode, payload, code] of [
        [opcodes.binary, probe, 1003],
        [opcodes.text, Buffer.from([0xc3, 0x28]), 1007],
        [opcodes.text, Buffer.alloc(33 * 1024 * 1024, 0x20), 1009],
      ] as const) {
        const client = await gateway.connect();
        client.frame(opcode, payload);
        await wantClosed(client, code);
      }
      const whole = await gateway.connect();
      whole.frame(opcodes.text, Buffer.from("{"));
      await wantError(whole, null, -32700);
      whole.frame(opcodes.text, probe.subarray(0, 20), false);
      whole.frame(opcodes.more, probe.subarray(20));
      await wantError(whole, "p-1", -32601);
      answer(asker, question, { "Which colour?": "Red" });
      await wantResult(asker, running, { status: "finished" });
    },
  },
  {
    id: "G05",
    title:
      "two clients see one question and the first answer counts; who comes back is asked again, and may answer",
    rules: ["P-INT-3", "P-INT-4", "P-INT-6", "P-SES-2"],
    async run(context) {
      const gateway = await context.start([askingLine(), askingLine(undefined, "tc-2"), "text: Thanks."]);
      const [ann, bob] = [await joinInBase(gateway), await joinInBase(gateway)];
      sendPrompt(ann);
      const question = wantedRequest("QuestionRequest");
      const [hers, his] = [await ann.next(question), await bob.next(question)];
      wantSame("the question of the other client", his, hers);
      answer(bob, his, { "Which colour?": "Blue" });
      const output = '{"answers": {"Which colour?": "Blue"}}';
      for (const client of [ann, bob]) wantSame("the output", (await awaitToolResult(client)).output, output);
      answer(ann, hers, { "Which colour?": "Red" });
      const second = await bob.next(question);
      for (const client of [ann, bob]) client.drop();
      await Promise.all([ann, bob].map((client) => client.ended()));
      const again = await joinInBase(gateway);
      wantMembers("the question after coming back", await again.next(question), { id: second.id ?? null });
      answer(again, second, { "Which colour?": "Red" });
      wantMembers("the result of the tool", await awaitToolResult(again, "tc-2"), { is_error: false });
      await again.next(wantedEvent("TurnEnd"));
    },
  },
];
