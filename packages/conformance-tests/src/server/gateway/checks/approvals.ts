import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CheckSkipped } from "../../../contract/check.js";
import { wantMembers, wantSame } from "../../../contract/expectations.js";
import {
  awaitToolResult,
  initialize,
  reply,
  sendPrompt,
  wantOrder,
  wantResult,
  wholeClient,
} from "../../conversation.js";
import { payloadOf, type ServerMessage, type Wanted, wantedEvent, wantedRequest } from "../../messages.js";
import { writes } from "../../scripts.js";
import type { GatewayCheck } from "../gateway-context.js";
import type { GatewayClient } from "../gateway-line.js";
import { joinInBase } from "./door.js";

const approval = wantedRequest("ApprovalRequest");
const result = wantedEvent("ToolResult", { tool_call_id: "tc-1" });
const either: Wanted = {
  name: "a request ApprovalRequest, or the result of the call",
  fits: (message) => approval.fits(message) || result.fits(message),
};

/** Answers an approval. */
function decide(client: GatewayClient, { id }: ServerMessage, response: string, feedback = ""): void {
  reply(client, id, { request_id: id, response, feedback });
}

/** G11: an approval before several clients. */
export const gatewayApprovalChecks: readonly GatewayCheck[] = [
  {
    id: "G11",
    title:
      "an approval is put to every client, the first answer decides what happens to the file, and every client is told",
    rules: ["P-APR-2", "P-APR-5", "P-INT-2", "P-INT-3"],
    async run(context) {
      for (const [said, late] of [
        ["reject", "approve"],
        ["approve", "reject"],
      ] as const) {
        const gateway = await context.start([writes("a.txt"), "text: I see."]);
        const [ann, bob] = [await joinInBase(gateway), await joinInBase(gateway)];
        const plain = await gateway.connect();
        await initialize(plain, { ...wholeClient, capabilities: {} });
        const turn = sendPrompt(ann);
        const asked = await ann.next(either);
        if (!approval.fits(asked))
          throw new CheckSkipped("its agent has no tool WriteFile that wants an approval", {
            isChoice: true,
          });
        for (const client of [bob, plain])
          wantSame("the id of the approval", (await client.next(approval)).id, asked.id);
        decide(bob, asked, said, "as bob says");
        await bob.quiet();
        decide(ann, asked, late, "as ann says");
        await wantResult(ann, turn, { status: "finished" });
        for (const client of [ann, bob, plain]) {
          const told = await client.next(wantedEvent("ApprovalResponse", { request_id: asked.id }));
          wantMembers("ApprovalResponse", payloadOf(told), { response: said });
          const { is_error } = await awaitToolResult(client);
          wantSame("is_error of the call", is_error, said === "reject");
          const of = client.messages.find(result.fits);
          wantOrder(client, "ApprovalResponse, then ToolResult", told, ...(of ? [of] : []));
          await client.quiet();
          const count = client.messages.filter(wantedEvent("ApprovalResponse").fits).length;
          wantSame("how many ApprovalResponses there are", count, 1);
        }
        const text = await readFile(join(gateway.workDir, "a.txt"), "utf8").catch(() => "no file");
        wantSame("the text of a.txt", text, said === "reject" ? "no file" : "one\n");
      }
    },
  },
];
