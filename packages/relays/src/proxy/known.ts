import { validate } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import { CallsUnderWay } from "../acp/calls-under-way.js";
import type { PeerMessage } from "../acp/peer-message.js";
import { ToolCallNews } from "../acp/shapes.js";
import { type AgentCall, withNews } from "../acp/tool-call.js";
import { idKey, membersOf, textIn } from "./message.js";

/** Conversations and requests of the host that are remembered; the oldest go. */
const MOST = 1_000;

/** The methods that begin a conversation in a folder. */
const begins = new Set(["session/new", "session/load", "session/resume"]);

/** Facts that pass by, which people see beside a request: the agent's name, folders of conversations, and calls. */
export class Known {
  readonly #asked = new BoundedMap<string, PeerMessage>(MOST);
  readonly #folders = new BoundedMap<string, string>(MOST);
  readonly #calls = new CallsUnderWay();
  #agent: string | undefined;

  /** The name that the agent gives itself; undefined before it has, or without one. */
  get agent(): string | undefined {
    return this.#agent;
  }

  /** The folder of a conversation; undefined where none was told. */
  folderOf(sessionId: unknown): string | undefined {
    return this.#folders.get(idKey(sessionId));
  }

  /** The call with its news, and with all that was told of it before. */
  call(news: ToolCallNews): AgentCall {
    return withNews(this.#calls.get(news.toolCallId), { ...news, status: undefined });
  }

  /** Notes a request of the host, whose reply says more. */
  fromHost({ id, method, params }: PeerMessage): void {
    if (method === "initialize" || begins.has(String(method))) this.#asked.set(idKey(id), { method, params });
  }

  /** Notes a reply of the agent, or an update. */
  fromAgent({ id, method, params, result }: PeerMessage): void {
    if (method === "session/update") return this.#update(membersOf(membersOf(params).update));
    const request = method === undefined ? this.#asked.get(idKey(id)) : undefined;
    if (request === undefined) return;
    this.#asked.delete(idKey(id));
    if (request.method === "initialize") {
      const { agentInfo, info } = membersOf(result);
      const { title, name } = membersOf(agentInfo ?? info);
      this.#agent = textIn(title) ?? textIn(name);
      return;
    }
    const { cwd, sessionId } = membersOf(request.params);
    const folder = textIn(cwd);
    if (folder !== undefined) this.#folders.set(idKey(membersOf(result).sessionId ?? sessionId), folder);
  }

  #update(update: Readonly<Record<string, unknown>>): void {
    const { sessionUpdate } = update;
    if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return;
    const read = validate(ToolCallNews, update);
    if (!read.ok) return;
    const news = read.value as ToolCallNews;
    const { toolCallId: id, status } = news;
    if (status === "completed" || status === "failed" || status === "cancelled")
      return this.#calls.delete(id);
    this.#calls.set(id, withNews(this.#calls.get(id), news));
    const over = this.#calls.tooMany;
    if (over !== undefined) this.#calls.delete(over.toolCallId);
  }
}
