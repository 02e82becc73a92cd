import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import {
  awaitToolResult,
  begin,
  namesOf,
  openApproval,
  reply,
  sendPrompt,
  wantNone,
  wantResult,
  wholeClient,
} from "../conversation.js";
import { payloadOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { writes } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

const approvalRequest = wantedRequest("ApprovalRequest");

/** The text of a file in the work directory; undefined where there is none. */
function textOf({ workDir }: ServerContext, name: string): Promise<string | undefined> {
  return readFile(join(workDir, name), "utf8").catch(() => undefined);
}

async function wantUntouched(context: ServerContext, when: string): Promise<void> {
  wantSame(`the text of a.txt ${when}: none, so`, (await textOf(context, "a.txt")) ?? "no file", "no file");
}

/** Answers an approval. */
function decide(server: WireServer, { id }: ServerMessage, response: string, feedback = ""): void {
  reply(server, id, { request_id: id, response, feedback });
}

/** Ends the input, so that whatever the server still does is done. */
async function ended(server: WireServer): Promise<void> {
  server.end();
  await server.exit;
}

/** Answers the next approval, and wants it to be about this call. */
async function decideNext(server: WireServer, call: string, response: string, feedback = "") {
  const asked = await server.next(approvalRequest);
  wantMembers("the payload of ApprovalRequest", payloadOf(asked), { tool_call_id: call });
  decide(server, asked, response, feedback);
  return payloadOf(asked).action;
}

/** F61 to F63: an approval decides what happens to a file, and how far it reaches. */
export const fileChecks: readonly ServerCheck[] = [
  {
    id: "F61",
    title: "a file is not written while the person is asked, after a rejection, nor after a cancelled turn",
    rules: ["P-APR-1", "P-APR-5", "P-OUT-6", "P-TRN-6"],
    async run(context) {
      for (const feedback of ["", "use another name"]) {
        const { server, turn, approval } = await openApproval(context, [writes("a.txt"), "text: I see."]);
        await server.quiet();
        await wantUntouched(context, "while the person is asked");
        decide(server, approval, "reject", feedback);
        await wantResult(server, turn, { status: "finished" });
        await ended(server);
        await wantUntouched(context, "after a rejection");
      }
      const { server, turn, approval } = await openApproval(context, [writes("a.txt")]);
      await server.call("cancel");
      await wantResult(server, turn, { status: "cancelled" });
      await server.quiet();
      await wantUntouched(context, "after a cancelled turn");
      decide(server, approval, "approve");
      await server.quiet();
      await ended(server);
      await wantUntouched(context, "after an approval that came too late");
    },
  },
  {
    id: "F62",
    title:
      "approve_for_session holds in the next turn, for its action and no other; approve and reject hold for nothing",
    rules: ["P-APR-3", "P-APR-5"],
    async run(context) {
      const scripts = [
        writes("b.txt", "tc-1"),
        writes("a.txt", "tc-2"),
        writes("a.txt", "tc-3"),
        "text: So far.",
        writes("a.txt", "tc-4", "two\n"),
        writes("b.txt", "tc-5", "two\n"),
        "text: Done.",
      ];
      const server = await begin(context, { scripts });
      const first = sendPrompt(server);
      const other = await decideNext(server, "tc-1", "approve");
      await decideNext(server, "tc-2", "reject", "not yet");
      const action = await decideNext(server, "tc-3", "approve_for_session");
      await wantResult(server, first, { status: "finished" });
      const second = sendPrompt(server);
      if (action !== other) await decideNext(server, "tc-5", "reject", "not this one");
      await wantResult(server, second, { status: "finished" });
      const asked = server.messages.filter(approvalRequest.fits).map((one) => payloadOf(one).tool_call_id);
      const expected = ["tc-1", "tc-2", "tc-3", ...(action === other ? [] : ["tc-5"])];
      wantSame("the calls that were asked about", asked, expected);
      wantMembers("the result of tc-4", await awaitToolResult(server, "tc-4"), { is_error: false });
      wantSame("the text of a.txt in the end", await textOf(context, "a.txt"), "two\n");
      wantSame("the text of b.txt", await textOf(context, "b.txt"), action === other ? "two\n" : "one\n");
    },
  },
  {
    id: "F63",
    title: "of two open approvals of one action, approve_for_session of the first lets the second happen too",
    rules: ["P-APR-3"],
    isOurs: true,
    async run(context) {
      const both = [writes("a.txt", "tc-1"), writes("a.txt", "tc-2", "two\n")].join("\n");
      const { server, turn, approval } = await openApproval(context, [both, "text: Done."]);
      await server.quiet();
      decide(server, approval, "approve_for_session");
      await wantResult(server, turn, { status: "finished" });
      for (const call of ["tc-1", "tc-2"])
        wantMembers(`the result of ${call}`, await awaitToolResult(server, call), { is_error: false });
      const names = namesOf(server.messages).join(", ");
      const told = server.messages.filter(wantedEvent("ApprovalResponse").fits).length;
      want(
        told === server.messages.filter(approvalRequest.fits).length,
        "one ApprovalResponse for each ApprovalRequest",
        names,
      );
    },
  },
];

/** F55: a hook decides what happens to a file. */
export const hookedFileChecks: readonly ServerCheck[] = [
  {
    id: "F55",
    title: "a hook that blocks the writing of a file: nobody is asked, and there is no file",
    rules: ["P-HOK-3"],
    async run(context) {
      const hook = { id: "before-files", event: "PreToolUse", matcher: "WriteFile", timeout: 30 };
      const scripts = [writes("a.txt"), "text: I see."];
      const server = await begin(context, { scripts }, { ...wholeClient, hooks: [hook] });
      const turn = sendPrompt(server);
      const { id } = await server.next(wantedRequest("HookRequest"));
      reply(server, id, { request_id: id, action: "block", reason: "not today" });
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: true });
      await wantResult(server, turn, { status: "finished" });
      wantNone(server, approvalRequest);
      await ended(server);
      await wantUntouched(context, "after a hook blocked the call");
    },
  },
];
