import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalReply, ApprovalView, AskInit } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../servers/bundle.js";
import { started } from "./killed-asks.js";

const origin = { host: "Claude Code", folder: "/work/app", tool: "Bash", subagent: "explore" };
const approvalOf = (action: string): AskInit => ({
  approval: { action, description: `Do ${action}`, edit: { content: action } },
  origin,
});

/** A server that can be killed and started again over the same folder. */
async function mortalServer() {
  const folder = mkdtempSync(join(tmpdir(), "askwire-approvals-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("asking-server.ts", import.meta.url));
  let running = await started(program, folder);
  const kill = async () => {
    const ended = once(running.child, "exit");
    running.child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return {
    async restart() {
      await kill();
      running = await started(program, folder);
    },
    async program(name: string) {
      const session = await connectWebSocket(running.address, { client: { name } });
      onTestFinished(() => session.close());
      return session;
    },
    /** A person who leaves open what there is no reply for. */
    async person(replies: Readonly<Record<string, ApprovalReply>>) {
      const shown: Pick<ApprovalView, "program">[] = [];
      const session = await connectWebSocket(running.address, {
        shows: { edits: true },
        handlers: {
          approval({ source_id: _, ...view }) {
            shown.push(view);
            return replies[view.action] ?? new Promise(() => {});
          },
        },
      });
      onTestFinished(() => session.close());
      return { shown, keys: () => shown.map(({ program }) => program?.key) };
    },
  };
}

test("an approval of a program is open again after kill -9 of its server, is answered once, and what was approved for the session holds from then on alone (P-XAK-8, P-XAK-11, P-RES-14)", {
  timeout: 120_000,
}, async () => {
  const server = await mortalServer();
  const before = await server.person({ deploy: "approve_for_session" });
  const first = await server.program("deployer");
  const decided = await first.ask({ key: "deploy-1", ...approvalOf("deploy") });
  const covered = await first.ask({ key: "deploy-2", ...approvalOf("deploy") });
  expect([decided.outcome?.by, covered.outcome?.by]).toEqual(["human", "policy"]);
  const put = await first.ask({ key: "publish-1", ...approvalOf("publish"), wait: false });
  await expect.poll(before.keys).toEqual(["deploy-1", "publish-1"]);

  await server.restart();
  const program = await server.program("deployer");
  const again = await program.ask({ key: "publish-1", wait: false });
  expect(again).toMatchObject({ request_id: put.request_id, outcome: undefined });
  const waiting = [
    program.ask({ key: "publish-1", ...approvalOf("publish") }),
    program.ask({ key: "publish-1" }),
  ];
  const after = await server.person({
    publish: { response: "approve_for_session", edited: "publish --dry-run" },
  });
  const decisions = await Promise.all(waiting);
  expect(decisions.map(({ response, edited, request_id }) => [response, edited, request_id])).toEqual(
    Array(2).fill(["approve_for_session", "publish --dry-run", put.request_id]),
  );
  expect(after.shown).toEqual([before.shown[1]]);

  // The key has its decision, and the session's own memory went with the process.
  expect(await program.ask({ key: "deploy-1", ...approvalOf("deploy") })).toEqual(decided);
  for (const key of ["deploy-2", "deploy-3"])
    void program.ask({ key, ...approvalOf("deploy"), onLost: "keep" }).catch(() => {});
  await expect.poll(after.keys).toEqual(["publish-1", "deploy-2", "deploy-3"]);

  // What was approved after the restart covers that program, host and folder.
  const next = await program.ask({ key: "publish-2", ...approvalOf("publish") });
  expect(next).toMatchObject({ outcome: { by: "policy" }, response: "approve" });
  const elsewhere = { ...approvalOf("publish"), origin: { ...origin, folder: "/work/other" } };
  expect((await program.ask({ key: "publish-3", ...elsewhere })).outcome?.by).toBe("human");
  const other = await server.program("other");
  expect((await other.ask({ key: "publish-4", ...approvalOf("publish") })).outcome?.by).toBe("human");
});
