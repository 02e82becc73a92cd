// Approvals of projects' agents, a file each. An approval counts for one content in one folder.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shareFolder } from "@askwire/server";
import * as z from "zod/mini";
import { CommandFailure } from "../input/failure.js";
import type { AgentEntry } from "./agent-entry.js";
import type { ProjectAgent } from "./known-agents.js";
import type { ProjectServer } from "./server-entry.js";

const ApprovalFile = z.object({
  name: z.string(),
  folder: z.string(),
  sha256: z.string(),
  approved_at: z.iso.datetime(),
});

/** `changed` where another content was approved before. */
export type CommandApproval = "approved" | "changed" | "not_approved";

/** The name of an agent, and the real path of its project's folder. */
type Named = Pick<ProjectAgent, "name" | "folder">;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The content of a project's file that a person approves. */
export type Approvable = ProjectAgent | ProjectServer;

/** The hash of all that decides what runs, and what is reached. The order of variables does not count. */
export function contentHash(content: AgentEntry | Approvable): string {
  if ("server" in content) {
    const { command, url, headers, inherit, env, timeout } = content.server;
    return sha256(JSON.stringify([command, url, sorted(headers), inherit, sorted(env), timeout]));
  }
  const { command, protocol, inherit, env } = content;
  return sha256(JSON.stringify([command, protocol ?? null, inherit, sorted(env)]));
}

const sorted = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));

const approvalsFolder = (env: NodeJS.ProcessEnv) =>
  join(shareFolder(env, { kimi: false }), "approved-agents");

const fileOf = (env: NodeJS.ProcessEnv, { name, folder }: Named) =>
  join(approvalsFolder(env), `${sha256(JSON.stringify([folder, name])).slice(0, 32)}.json`);

/** Finds out if a person has approved this content. A file that is damaged approves nothing. */
export function approvalOf(agent: Approvable, env: NodeJS.ProcessEnv): CommandApproval {
  try {
    const kept = ApprovalFile.parse(JSON.parse(readFileSync(fileOf(env, agent), "utf8")));
    if (kept.name !== agent.name || kept.folder !== agent.folder) return "not_approved";
    return kept.sha256 === contentHash(agent) ? "approved" : "changed";
  } catch {
    return "not_approved";
  }
}

/**
 * Keeps the approval of this content, with mode 0600, in the place of an earlier one.
 *
 * @throws Failure if the file cannot be written.
 */
export function keepApproval(agent: Approvable, env: NodeJS.ProcessEnv): void {
  const { name, folder } = agent;
  const kept: z.input<typeof ApprovalFile> = {
    name,
    folder,
    sha256: contentHash(agent),
    approved_at: new Date().toISOString(),
  };
  const written = join(approvalsFolder(env), `.${randomBytes(8).toString("hex")}.new`);
  try {
    mkdirSync(approvalsFolder(env), { recursive: true, mode: 0o700 });
    writeFileSync(written, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(written, fileOf(env, agent));
  } catch (error) {
    throw new CommandFailure(
      `the approval of ${name} cannot be kept (${(error as Error).message}): set ASKWIRE_HOME to another folder`,
    );
  }
}

/**
 * Takes an approval back.
 *
 * @returns false if there was none.
 * @throws Failure if the file cannot be removed.
 */
export function removeApproval(agent: Named, env: NodeJS.ProcessEnv): boolean {
  try {
    rmSync(fileOf(env, agent));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw new CommandFailure(`agents revoke ${agent.name}: ${(error as Error).message}`);
  }
}
