import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeOnce } from "../input/write-once.js";
import type { GatewayAsker } from "./asking.js";

/** The handles of one person's questions: nobody guesses a handle, and those of other people or agents are refused. */
export interface Handles {
  make(asker: GatewayAsker, kind?: "question" | "approval"): string;
  /** True for a handle that this person's `askwire mcp` has made for the agent, in any process. */
  isOwn(handle: string, asker: GatewayAsker): boolean;
}

/** The beginnings of handles, which say what was asked: an approval without a decision has no answer that would. */
const PREFIXES = { question: "mcp-", approval: "mcp-approval-" } as const;

/** True for the handle of an approval. */
export const isOfApproval = (handle: string): boolean => handle.startsWith(PREFIXES.approval);

/** The handles by a secret of the folder, which the first use makes. */
export function handlesIn(folder: string): Handles {
  const secret = secretIn(folder);
  const signed = (handle: string, { name, folder }: GatewayAsker) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([handle, name, folder]))
      .digest("base64url")
      .slice(0, 22);
  return {
    make(asker, kind = "question") {
      const name = `${PREFIXES[kind]}${randomBytes(16).toString("base64url")}`;
      return `${name}.${signed(name, asker)}`;
    },
    isOwn(handle, asker) {
      const dot = handle.lastIndexOf(".");
      const [given, own] = [handle.slice(dot + 1), signed(handle.slice(0, dot), asker)].map((text) =>
        Buffer.from(text),
      );
      return given?.length === own?.length && timingSafeEqual(given as Buffer, own as Buffer);
    },
  };
}

function secretIn(folder: string): Buffer {
  const file = join(folder, "handles.key");
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  writeOnce(file, randomBytes(32));
  return readFileSync(file);
}
