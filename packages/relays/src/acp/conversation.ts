import { validate, WireError } from "@askwire/protocol";
import type { AgentMemory } from "@askwire/server";
import { AcpError, acpCodes } from "./acp-error.js";
import type { AcpConnection } from "./connection.js";
import { type SessionSettings, SessionSettings as Settings } from "./shapes.js";

/** A conversation of an agent that is open. */
export interface OpenConversation {
  readonly id: string;
  readonly settings: SessionSettings;
  /** `new` for one that has just begun, `lost` for one that took the place of an earlier one. */
  readonly how: "new" | "went_on" | "lost";
}

/** The ways to open a conversation. */
export interface AcpOpening {
  readonly connection: AcpConnection;
  readonly workDir: string;
  /** The conversation to resume; undefined for a new one. */
  readonly id: string | undefined;
  /** True if the agent is to say all that was said before. */
  readonly retold: boolean;
  /** Called before a conversation resumes, whose updates come before the reply. */
  readonly onKnown: (id: string) => void;
}

/**
 * Opens a conversation: resumes an earlier one where there is one that the agent still has, and else begins anew.
 *
 * @throws WireError AuthExpired if the agent wants a login first, else ProviderError.
 */
export async function openConversation(opening: AcpOpening): Promise<OpenConversation> {
  const { connection, workDir, id } = opening;
  const params = { cwd: workDir, mcpServers: [] };
  if (id !== undefined) {
    const settings = await goOn(opening, { ...params, sessionId: id });
    if (settings !== undefined) return { id, settings, how: "went_on" };
  }
  const settings = await connection.request("session/new", params).then(readSettings, failed(connection));
  if (settings.sessionId === undefined) {
    throw new WireError("ProviderError", "the reply to session/new: sessionId: expected string");
  }
  opening.onKnown(settings.sessionId);
  return { id: settings.sessionId, settings, how: id === undefined ? "new" : "lost" };
}

/** Resumes or loads a conversation. Undefined where the agent cannot, or no longer has it. */
async function goOn(
  { connection, id = "", retold, onKnown }: AcpOpening,
  params: Record<string, unknown>,
): Promise<SessionSettings | undefined> {
  const { load, resume, version } = connection.abilities;
  if (!load && !resume) return undefined;
  const method =
    resume && (!retold || version === 2) ? "session/resume" : load ? "session/load" : "session/resume";
  const whole = retold && version === 2 && { replayFrom: { type: "start" } };
  onKnown(id);
  try {
    return readSettings(await connection.request(method, { ...params, ...whole }));
  } catch (error) {
    if (!(error instanceof AcpError) || error.code === acpCodes.authRequired)
      throw wireErrorOf(error, connection);
    return undefined;
  }
}

/**
 * Reads the settings in a reply. Some agents reply with null.
 *
 * @throws WireError ProviderError for settings that do not fit.
 */
export function readSettings(reply: unknown): SessionSettings {
  const parsed = validate(Settings, reply ?? {});
  if (parsed.ok) return parsed.value;
  throw new WireError("ProviderError", `the agent's settings: ${parsed.problem}`);
}

const failed = (connection: AcpConnection) => (error: unknown) => {
  throw wireErrorOf(error, connection);
};

/** An error of the agent as the error of a prompt. */
export function wireErrorOf(error: unknown, { abilities }: Pick<AcpConnection, "abilities">): Error {
  if (error instanceof WireError) return error;
  if (!(error instanceof AcpError)) {
    return new WireError("ProviderError", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
  const told = [error.message, detailsOf(error.data)].filter((text) => text !== "").join(": ");
  if (error.code !== acpCodes.authRequired)
    return new WireError("ProviderError", told.slice(0, 1_000), { cause: error });
  const ways = abilities.logins.map(({ name }) => JSON.stringify(name)).join(", ");
  const next = ways === "" ? "log in with the agent's own command" : `/login has these ways: ${ways}`;
  return new WireError("AuthExpired", `the agent wants a login first (${told}): ${next}`, { cause: error });
}

/** The text that agents put next to the message of an error. */
function detailsOf(data: unknown): string {
  const { details, message } = Object(data) as { readonly details?: unknown; readonly message?: unknown };
  return ([data, details, message].find((text) => typeof text === "string") as string | undefined) ?? "";
}

const KEPT = "acp_session_id";

/** The id of the agent's conversation that a kept session has. */
export function keptConversation(memory: AgentMemory | undefined): string | undefined {
  const { [KEPT]: id } = Object(memory?.get()) as { readonly [KEPT]?: unknown };
  return typeof id === "string" ? id : undefined;
}

/** Keeps the id of the agent's conversation with the session. */
export function keepConversation(memory: AgentMemory | undefined, id: string): void {
  if (keptConversation(memory) !== id) memory?.set({ [KEPT]: id });
}
