import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  awaitToolResult,
  begin,
  fail,
  namesOf,
  openApproval,
  reply,
  sendPrompt,
  wantNone,
  wantOrder,
  wantResult,
} from "../conversation.js";
import { payloadOf, resultOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { writes } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

function decide(server: WireServer, { id }: ServerMessage, response: string, feedback?: string): void {
  reply(server, id, { request_id: id, response, ...(feedback === undefined ? {} : { feedback }) });
}

/** Expects the event ApprovalResponse, then the result of the tool. Returns the result. */
async function settled(server: WireServer, { id }: ServerMessage, response: string, call = "tc-1") {
  const told = await server.next(wantedEvent("ApprovalResponse", { request_id: id as string }));
  wantMembers("ApprovalResponse", payloadOf(told), { response });
  const result = await server.next(wantedEvent("ToolResult", { tool_call_id: call }));
  wantOrder(server, "ApprovalResponse, then ToolResult", told, result);
  const value = payloadOf(result).return_value as Record<string, unknown>;
  const approved = response !== "reject";
  wantSame("is_error of the tool's result", value.is_error, !approved);
  return value;
}

const text = (said: string) => wantedEvent("ContentPart", { text: said });

/** S10 and S60 to S62: actions that a person must allow. */
export const serverApprovalChecks: readonly ServerCheck[] = [
  {
    id: "S10",
    title: "without initialize an approval is asked for, or the call is rejected; it never hangs",
    rules: ["P-CAP-2", "P-INI-1"],
    isOurs: true,
    async run(context) {
      const server = await context.start({ scripts: [writes("a.txt"), "text: Done."] });
      const running = sendPrompt(server);
      const either = await server.next({
        name: "an ApprovalRequest or a ToolResult",
        fits: (message) =>
          wantedRequest("ApprovalRequest").fits(message) || wantedEvent("ToolResult").fits(message),
      });
      if (either.method === "request") decide(server, either, "approve");
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S60",
    title:
      "approve, approve_for_session, reject, reject with feedback: ApprovalResponse, then the tool's result",
    rules: ["P-APR-1", "P-APR-2", "P-APR-3", "P-APR-5", "P-OUT-4"],
    async run(context) {
      const scripts = [
        writes("a.txt"),
        writes("a.txt", "tc-2", "two\n"),
        writes("a.txt", "tc-3", "three\n"),
        "text: Done.",
      ];
      const file = () => readFile(join(context.workDir, "a.txt"), "utf8");
      const { server, turn, approval } = await openApproval(context, scripts);
      wantMembers("the payload of ApprovalRequest", payloadOf(approval), { tool_call_id: "tc-1" });
      decide(server, approval, "approve");
      await settled(server, approval, "approve");
      wantSame("the file after the first approval", await file(), "one\n");
      const second = await server.next(wantedRequest("ApprovalRequest"));
      decide(server, second, "approve_for_session");
      await settled(server, second, "approve_for_session", "tc-2");
      await wantResult(server, turn, { status: "finished" });
      wantMembers("the result of the third call", await awaitToolResult(server, "tc-3"), { is_error: false });
      wantSame("the file in the end", await file(), "three\n");
      const asked = server.messages.filter(wantedRequest("ApprovalRequest").fits);
      want(
        asked.length === 2,
        "no further ApprovalRequest after approve_for_session",
        namesOf(server.messages).join(", "),
      );

      const wordless = await openApproval(context, [writes("b.txt"), "text: Not said."]);
      decide(wordless.server, wordless.approval, "reject");
      await settled(wordless.server, wordless.approval, "reject");
      await wantResult(wordless.server, wordless.turn, { status: "finished" });
      wantNone(wordless.server, text("Not said."));

      const why = await openApproval(context, [writes("b.txt"), "text: I see."]);
      decide(why.server, why.approval, "reject", "use another name");
      const value = await settled(why.server, why.approval, "reject");
      want(JSON.stringify(value).includes("use another name"), "the feedback in the tool's result", value);
      await why.server.next(text("I see."));
      await wantResult(why.server, why.turn, { status: "finished" });
    },
  },
  {
    id: "S61",
    title: "an approval answered with an error, an unknown kind, null, or without request_id is a rejection",
    rules: ["P-OUT-6", "P-ANS-5", "P-APR-2", "P-APR-5"],
    isOurs: true,
    async run(context) {
      const answers: ((server: WireServer, id: unknown) => void)[] = [
        (server, id) => fail(server, id, -32000),
        (server, id) => fail(server, id, -32601),
        (server, id) => reply(server, id, { request_id: id, response: "perhaps" }),
        (server, id) => reply(server, id, null),
        (server, id) => reply(server, id, { response: "approve" }),
      ];
      const scripts = answers.flatMap((_, index) => [writes("a.txt", `tc-${index}`), "text: I see."]);
      const server = await begin(context, { scripts });
      for (const [index, answer] of answers.entries()) {
        const turn = sendPrompt(server);
        const approval = await server.next(wantedRequest("ApprovalRequest"));
        answer(server, approval.id);
        await settled(server, approval, "reject", `tc-${index}`);
        await wantResult(server, turn, { status: "finished" });
      }
    },
  },
  {
    id: "S62",
    title: "cancel with an open approval: ApprovalResponse reject, and the prompt's result is cancelled",
    rules: ["P-TRN-6", "P-APR-2", "P-OUT-6"],
    isOurs: true,
    async run(context) {
      const { server, turn, approval } = await openApproval(context, [writes("a.txt")]);
      wantSame("the result of cancel", resultOf(await server.call("cancel")), {});
      const told = await server.next(wantedEvent("ApprovalResponse"));
      wantMembers("ApprovalResponse", payloadOf(told), { request_id: approval.id, response: "reject" });
      wantOrder(server, "ApprovalResponse, then TurnEnd", told, await server.next(wantedEvent("TurnEnd")));
      await wantResult(server, turn, { status: "cancelled" });
      wantNone(server, wantedEvent("ToolResult"));
    },
  },
];
