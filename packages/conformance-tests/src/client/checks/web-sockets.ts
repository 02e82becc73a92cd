import { SUBPROTOCOL, TOKEN_SUBPROTOCOL } from "@askwire/protocol";
import { want, wantSame } from "../../contract/expectations.js";
import { opcodes } from "../../programs/web-socket-frames.js";
import { accept, goesOn, questionById, takeAnswer } from "../answers-by-id.js";
import { type ClientCheck, check } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import {
  beginExtendedTurn,
  comeBack,
  finishExtended,
  startConnected,
  wantEndAlone,
} from "../extended-turn.js";
import { playSession } from "../played-session.js";

/** Sends something for which a client closes its connection by this code. */
async function closesBy(context: ClientContext, code: number, opcode: number, payload: Uint8Array) {
  const turn = await startConnected(context);
  turn.line.frame(opcode, payload);
  const by = await turn.client.waits.on(turn.line.closed, `a close by ${code}`);
  wantSame("the close code", by, code);
}

/** CX15 to CX18: how a client uses a WebSocket. */
export const webSocketChecks: readonly ClientCheck[] = [
  check(
    "CX15",
    "The token of the address's fragment is sent as a bearer or as a subprotocol beside askwire.v1, and not in the path",
    ["P-SEC-2", "P-SEC-6"],
    async (context) => {
      const client = await context.startRemote();
      const { sessionId, token } = client.door;
      const knock = await client.knocked();
      wantSame("the path of the WebSocket", knock.target, `/wire/${sessionId}`);
      const { authorization, "sec-websocket-protocol": offered = "" } = knock.headers;
      const names = offered.split(",").map((name) => name.trim());
      const inSubprotocol = `${TOKEN_SUBPROTOCOL}${Buffer.from(token).toString("base64url")}`;
      const carried =
        authorization === `Bearer ${token}` || (names.includes(inSubprotocol) && names.includes(SUBPROTOCOL));
      want(carried, "the token as a bearer, or as a subprotocol beside askwire.v1", {
        authorization,
        offered,
      });
      await finishExtended(await beginExtendedTurn(client, knock.accept(), playSession(sessionId)));
    },
  ),

  check(
    "CX16",
    "A message in several frames is read, with a ping between them, which has its pong; a binary one closes with 1003, invalid UTF-8 with 1007",
    ["P-FRM-6"],
    async (context) => {
      const turn = await startConnected(context);
      const { line, session } = turn;
      const payload = questionById([{ question: "ö?", labels: ["Yes", "No"] }]);
      const asked = session.opens("QuestionRequest", payload);
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...asked }));
      const cut = bytes.indexOf("ö") + 1;
      line.frame(opcodes.text, bytes.subarray(0, cut), false);
      line.frame(opcodes.ping, Buffer.from("?"));
      line.frame(opcodes.more, bytes.subarray(cut));
      accept(turn, await takeAnswer(line, payload.id));
      wantSame("the pongs", line.pongs, ["?"]);
      await finishExtended(turn);

      await closesBy(context, 1003, opcodes.binary, Buffer.from("{}"));
      await closesBy(context, 1007, opcodes.text, Uint8Array.of(0x22, 0xff, 0x22));
    },
  ),

  check(
    "CX17",
    "An address that is refused by an HTTP status or closed with 4401 ends the command, which opens no other connection",
    ["P-XCL-2"],
    async (context) => {
      const refused = await context.startRemote();
      (await refused.knocked()).refuse(403);
      await wantEndAlone(refused);

      const closed = await context.startRemote();
      (await closed.knocked()).accept().close(4401);
      await wantEndAlone(closed);
    },
  ),

  check(
    "CX18",
    "A connection that is closed with 1012, or ends in the middle of a frame, is opened again, and the turn goes on",
    ["P-XCL-2"],
    async (context) => {
      const turn = await startConnected(context);
      turn.line.close(1012);
      const again = await comeBack(turn);
      again.line.frame(opcodes.text, Buffer.from('{"jsonrpc"'), false);
      again.line.drop();
      const last = await comeBack(again);
      await goesOn(last);
      await finishExtended(last);
    },
  ),
];
