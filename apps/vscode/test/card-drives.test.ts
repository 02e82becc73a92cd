import { requestKey } from "@askwire/client";
import { coreQuestion, QuestionInputs } from "@askwire/protocol";
import type { Page } from "playwright-core";
import type { Mind } from "../../../examples/test/drives/acts.js";
import type { Sent } from "../../../examples/test/drives/differences.js";
import { type PutRequest, type Surface, watchPresses } from "../../../examples/test/drives/drive.js";
import type { Driven } from "../../../examples/test/drives/requests.js";
import { testDrives } from "../../../examples/test/drives/test-drives.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import type { ToHost } from "../src/messages.js";
import { openViews, parts, tell } from "./opened-view.js";

const open = openViews(testBrowser());

/** An answer as the view gives it to its host. */
type Answer = Extract<ToHost, { type: "answerQuestion" | "answerApproval" }>;

/** The view, with a played host that also refuses answers, keeps them waiting, and asks otherwise under the same id. */
async function viewOfHost({ isTouch }: { readonly isTouch: boolean }): Promise<Surface> {
  let hear = (_answer: Answer): void => {};
  const { page } = await open(null, {
    isTouch,
    size: { width: 1_000, height: 800 },
    before: async (page) => {
      if (page.context().browser()?.browserType().name() === "chromium") {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      }
      await watchPresses(page);
    },
    hear(message) {
      if (message.type === "answerQuestion" || message.type === "answerApproval") hear(message);
    },
  });
  const card = page.locator(".dock section.askwire-card .askwire-page:not(:disabled)");
  let shown: readonly unknown[] = [];
  const show = (cards: readonly unknown[]) => {
    shown = cards;
    return tellCards(page, cards);
  };
  let count = 0;

  async function put(asked: Driven): Promise<PutRequest> {
    count += 1;
    const id = `r${count}`;
    let request = asked;
    let next: Mind | undefined;
    await show([cardOf(id, request)]);
    await card.waitFor();
    const sent = new Promise<Sent>((resolve) => {
      hear = ({ call, reply }) => {
        const mind = next;
        next = undefined;
        void (async () => {
          if (mind === "refuse") return tell(page, { type: "done", call, problem: "not like this" });
          if (mind === "late")
            await tellCards(page, [{ ...cardOf(id, request), delivery: { is: "sending" } }]);
          await tell(page, { type: "done", call });
          resolve(sentOf(reply));
        })();
      };
    });
    return {
      sent,
      request: () => request,
      async mind(what) {
        if (what === "again") await show(structuredClone(shown));
        else if (what === "otherwise") {
          request = asksOtherwise(request);
          await show([cardOf(id, request)]);
        } else next = what;
      },
      async end() {
        await show([]);
        await card.waitFor({ state: "detached" });
      },
    };
  }

  return {
    ...{ page, isTouch, put },
    async reload() {
      await page.reload();
      await tellCards(page, shown);
      await card.waitFor();
    },
  };
}

const abilities = { notes: true, skip: true, attachments: true };

const tellCards = (page: Page, cards: readonly unknown[]) =>
  tell(page, {
    ...{ type: "state", seq: 0, parts: { ...parts(cards), abilities } },
    entries: { from: 0, to: -1, changed: [] },
  } as never);

/** The card as the host shows it. */
function cardOf(id: string, request: Driven) {
  const named = { id, tool_call_id: "t" };
  const view =
    "questions" in request
      ? { ...named, questions: QuestionInputs.parse(request.questions).map(coreQuestion) }
      : {
          ...{ ...named, ...request, display: [] },
          ...(request.edit && { edit: { ...request.edit, max_length: 65_536 } }),
        };
  const kind = "questions" in request ? "question" : "approval";
  return {
    ...{ kind, id: requestKey(view as never), request: view, issues: [], delivery: { is: "draft" } },
    ...(kind === "approval" && { outside: [], unsaved: [] }),
  };
}

/** Something else under the same ids. */
function asksOtherwise(request: Driven): Driven {
  if ("questions" in request) {
    const questions = request.questions.map((one) => ({ ...one, header: `${one.header ?? ""}!` }));
    return { questions };
  }
  const { edit } = request;
  return {
    ...{ ...request, description: `${request.description}!` },
    ...(edit && { edit: { content: `${edit.content}!` } }),
  };
}

function sentOf(reply: Answer["reply"]): Sent {
  if (reply === "declined") return { declined: "dismissed" };
  if (typeof reply !== "object") throw new Error(`answered by ${reply}`);
  return reply as Sent;
}

testDrives("the view of VS Code", viewOfHost);
