import { talkWords } from "@askwire/client/words";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { AskedRow } from "../src/transcript/asked-row.js";

const client = { name: "askwire-web", connection: "c1" };
const device = "Safari on iPhone";

type Element = ReactElement<{ readonly children?: unknown; readonly text?: string }>;

/** The small print of a row. */
function smallIn(node: unknown): Element | undefined {
  if (Array.isArray(node)) return node.map(smallIn).find((found) => found !== undefined);
  const { type, props } = (node ?? {}) as Partial<Element>;
  if (type === "small") return node as Element;
  return props === undefined ? undefined : smallIn(props.children);
}

/** The words below an answered question, of a person as the server sent it. */
function below(language: "en" | "zh", principal?: unknown): string | undefined {
  const outcome = { status: "answered", by: "human", client, principal } as const;
  const entry = {
    kind: "asked",
    key: "1",
    about: ["Deploy now?"],
    isApproval: false,
    settled: { outcome, answers: [["Deploy now?", ["Yes"]]] },
  } as unknown as Parameters<typeof AskedRow>[0]["entry"];
  const small = smallIn(AskedRow({ entry, isTold: false, words: talkWords[language] }));
  return (small?.props.children as Element | undefined)?.props.text;
}

test.each([
  [undefined, "by somebody in askwire-web", "来自 askwire-web 中的用户"],
  [{ id: "local", name: "root", via: "local" }, "by somebody in askwire-web", "来自 askwire-web 中的用户"],
  [{ id: "Ann", name: "Ann", via: "token" }, "by Ann", "来自 Ann"],
  [{ id: "d1", name: "Ann", via: "device", device }, `by Ann (${device})`, `来自 Ann (${device})`],
])(
  "the row of an answered question names who answered by the door's word: %j (P-WHO-3)",
  (principal, en, zh) => {
    expect([below("en", principal), below("zh", principal)]).toEqual([en, zh]);
  },
);
