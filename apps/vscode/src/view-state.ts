// The state that the webview shows, with the types of what the table of messages only checks.

import type { ClientSession, Delivery } from "@askwire/client";
import type { Language } from "@askwire/client/words";
import type { Conversation, Entry, OpenApproval, OpenQuestion } from "@askwire/react/stores";

/** The name by which the extension is known to servers. */
export const clientName = "askwire-vscode";

/** The connection to an agent as a person is told of it. */
export type AgentLink =
  | { readonly is: "none" }
  | { readonly is: "connected" }
  /** `printed` is the output of an agent that takes long to start. */
  | { readonly is: "starting"; readonly printed?: string }
  | { readonly is: "lost"; readonly why: string }
  | { readonly is: "ended"; readonly why: string }
  /** There is no folder to work in. `missing` is one that is no longer there. */
  | { readonly is: "noFolder"; readonly missing?: string };

/** The kinds of agents. A `named` one is known to the command, and a `watched` one is another window's. */
export const agentKinds = ["interview", "model", "program", "named", "gateway", "watched"] as const;

/** The agent of a session, as a person knows it. */
export interface ShownAgent {
  readonly is: (typeof agentKinds)[number];
  /** The model, the program, the agent's name, the host of the gateway, or the file of an interview. Empty: there is none. */
  readonly name: string;
}

type Acts = "onDraft" | "onBegin" | "onReply" | "onDismiss" | "draft" | "deadlineSince";
/**
 * A card as data. `since` is the time at which the deadline came, in milliseconds since 1970. `outside` has the files
 * of an approval that are in no folder of the workspace, `unsaved` those with unsaved edits in an editor.
 */
export type ShownCard =
  | (Omit<OpenQuestion, Acts> & { readonly since?: number })
  | (Omit<OpenApproval, Acts> & {
      readonly outside: readonly string[];
      readonly unsaved: readonly string[];
    });

/** A session in the list. */
export interface ShownChat {
  readonly id: string;
  readonly title: string;
  /** The number of its open cards. */
  readonly open: number;
}

/** A file, a selection or a picture that goes with the next prompt. */
export interface ShownAttachment {
  readonly id: string;
  readonly name: string;
}

/** The parts of the state. A part that did not change is the same object as before. */
export interface ViewParts {
  readonly language: Language;
  readonly chat: string;
  readonly line: AgentLink;
  /** The agent of the shown session; without a session the one that the settings choose. */
  readonly agent: ShownAgent;
  /** The session that another process has, as it is offered: to watch and answer, or to nobody else. Empty without one. */
  readonly held: "" | "shared" | "alone";
  readonly chats: readonly ShownChat[];
  readonly cards: readonly ShownCard[];
  readonly talk: Omit<Conversation, "entries"> & {
    readonly planMode: boolean;
    /** True where the agent's last action was approved by the rule that approves everything. */
    readonly approvesAll: boolean;
    /** True where the agent is a process of this window that lets nobody else in. */
    readonly isAlone: boolean;
    /** Undefined where it cannot be switched. */
    readonly doNotAsk?: boolean | undefined;
  };
  /** The words on their way to the agent, without the pictures in them. */
  readonly said: readonly Delivery[];
  readonly commands: ClientSession["slashCommands"];
  readonly abilities: { readonly notes?: boolean; readonly skip?: boolean; readonly attachments?: boolean };
  readonly attachments: readonly ShownAttachment[];
  readonly drafts: string;
}

/** The messages to the webview. */
export type ToView =
  | {
      readonly type: "state";
      readonly seq: number;
      readonly parts: Partial<ViewParts>;
      readonly entries?: EntriesChange;
    }
  | {
      readonly type: "done";
      readonly call: number;
      readonly problem?: string;
      readonly files?: readonly string[];
    }
  | { readonly type: "lead"; readonly card: string };

/** The entries that changed, and the keys of the oldest and the newest that are there. */
export interface EntriesChange {
  readonly from: number;
  readonly to: number;
  readonly changed: readonly Entry[];
}

/** The change from one list of entries to another of the same session. Undefined where nothing changed. */
export function entriesChange(before: readonly Entry[], now: readonly Entry[]): EntriesChange | undefined {
  if (before === now) return undefined;
  const known = new Set(before);
  const [from, to] = [now[0]?.key ?? 0, now.at(-1)?.key ?? -1];
  return { from, to, changed: now.filter((entry) => !known.has(entry)) };
}

/** The entries after a change. Those that did not change stay the same objects. */
export function changedEntries(
  before: readonly Entry[],
  { from, to, changed }: EntriesChange,
): readonly Entry[] {
  const stay = before.filter(({ key }) => key >= from && key <= to);
  const byKey = new Map(stay.map((entry) => [entry.key, entry]));
  for (const entry of changed) byKey.set(entry.key, entry);
  return [...byKey.values()].sort((a, b) => a.key - b.key);
}
