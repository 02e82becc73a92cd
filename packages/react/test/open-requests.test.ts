import {
  type ApprovalView,
  type DeliveryState,
  type QuestionView,
  type RequestContext,
  RequestSettled,
} from "@askwire/client";
import { questionForm, reduceForm } from "@askwire/client/form";
import { expect, test } from "vitest";
import { isWaiting, openRequests } from "../src/index.js";

const question = (id: string): QuestionView => ({
  ...{ id, tool_call_id: "call-1" },
  questions: [
    {
      ...{ id: "q1", question: "Which name?", header: "", options: [], multi_select: false, own_text: true },
      ...{ body: "", other_label: "", other_description: "" },
    },
  ],
});

const approval = (id: string): ApprovalView => ({
  ...{ id, tool_call_id: "call-1", sender: "Shell", action: "run command", description: "Runs it" },
  ...{ source_kind: null, source_id: null, agent_id: null, subagent_type: null, source_description: null },
  display: [],
});

/** The circumstances of a request, with a way to settle it elsewhere. */
function circumstances(issues: RequestContext["issues"] = []) {
  const controller = new AbortController();
  let told: (state: DeliveryState) => void = () => {};
  const context: RequestContext = {
    ...{ signal: controller.signal, issues, touch: () => {} },
    onDelivery(listener) {
      told = listener;
    },
  };
  return {
    context,
    settle: (reason: Error) => controller.abort(reason),
    /** The reply has come so far. */
    tell: (state: DeliveryState) => told(state),
  };
}

test("requests are listed in the order in which they came, and leave once the server has their answer", async () => {
  const requests = openRequests();
  const [a, b] = [circumstances(), circumstances()];
  const first = requests.handlers.question(question("a"), a.context);
  const second = requests.handlers.approval(approval("b"), b.context);
  const deliveries = () => requests.current().map(({ request, delivery }) => `${request.id} ${delivery.is}`);
  const [one, two] = requests.current();
  expect(deliveries()).toEqual(["a draft", "b draft"]);
  if (one?.kind === "question") one.onReply("declined");
  if (two?.kind === "approval") two.onReply("approve");
  expect(await first).toBe("declined");
  expect(await second).toBe("approve");
  expect([deliveries(), requests.current().filter(isWaiting)]).toEqual([["a sending", "b sending"], []]);
  b.tell({ is: "undelivered" });
  expect(deliveries()).toEqual(["a sending", "b undelivered"]);
  a.tell({ is: "taken" });
  b.tell({ is: "sending" });
  expect(deliveries()).toEqual(["b sending"]);
  b.tell({ is: "sent" });
  expect(deliveries()).toEqual([]);
});

test("a person who answers too late is told so, with the outcome that stands and what they answered", () => {
  const requests = openRequests();
  const { context, settle, tell } = circumstances();
  const reply = { items: [{ question_id: "q1", selected: [], own_text: "Shop" }] };
  void requests.handlers.question(question("a"), context);
  const [one] = requests.current();
  if (one?.kind === "question") one.onReply(reply);
  const outcome = { status: "answered", by: "human", at: "2026-11-24T00:00:00Z" } as const;
  tell({ is: "late", outcome, problem: "it was answered" });
  settle(new RequestSettled("it was settled before", outcome));
  const late = { delivery: { is: "late", outcome }, settled: { outcome }, reply };
  expect(requests.current()).toMatchObject([late]);
  requests.current()[0]?.onDismiss();
  expect(requests.current()).toEqual([]);
});

test("an answer that could not be delivered stays with the reason until it is dismissed", () => {
  const requests = openRequests();
  const { context, tell } = circumstances();
  void requests.handlers.approval(approval("b"), context);
  const [one] = requests.current();
  if (one?.kind === "approval") one.onReply({ response: "reject", feedback: "use trash" });
  tell({ is: "failed", problem: "the connection closed" });
  expect(requests.current()).toMatchObject([
    { settled: { message: "the connection closed" }, reply: { feedback: "use trash" } },
  ]);
});

test("a request that is settled elsewhere stays with its outcome until it is dismissed, and its reply no longer counts", async () => {
  const requests = openRequests();
  const { context, settle } = circumstances();
  const reply = requests.handlers.question(question("a"), context);
  const reason = new RequestSettled("it was settled elsewhere");
  settle(reason);
  await expect(reply).rejects.toBe(reason);
  const [one] = requests.current();
  expect(one?.settled).toEqual({ message: "it was settled elsewhere" });
  if (one?.kind === "question") one.onReply("declined");
  expect(requests.current()).toHaveLength(1);
  one?.onDismiss();
  expect(requests.current()).toEqual([]);
});

test("the person's work comes back with an answer that was refused, and is forgotten once the request is settled", () => {
  const requests = openRequests();
  const form = reduceForm(questionForm(question("a").questions), { type: "set", text: "Shop", caret: 4 });
  const draft = { form, discuss: "why?" };
  void requests.handlers.question(question("a"), circumstances().context);
  const [one] = requests.current();
  if (one?.kind === "question") {
    one.onDraft(draft);
    one.onReply({ items: [] });
  }
  const again = circumstances([{ question_id: "q1", code: "pattern", message: "expected small letters" }]);
  Promise.resolve(requests.handlers.question(question("a"), again.context)).catch(() => {});
  expect(requests.current()[0]?.draft).toEqual(draft);
  again.settle(new Error("the turn ended"));
  requests.current()[0]?.onDismiss();
  void requests.handlers.question(question("a"), circumstances().context);
  const [last] = requests.current();
  expect(last?.draft).toBeUndefined();
  if (last?.kind === "question") {
    last.onDraft(draft);
    last.onReply({ items: [] });
  }
  requests.handlers.event({
    type: "InteractionSettled",
    payload: {
      request_id: "a",
      kind: "question",
      outcome: { status: "answered", by: "human", at: "2026-11-24T00:00:00Z" },
      response: null,
    },
  });
  void requests.handlers.question(question("a"), circumstances().context);
  expect(requests.current()[0]?.draft).toBeUndefined();
});

test("a deadline that is changed or removed is shown, and other events change nothing", () => {
  const requests = openRequests();
  const deadline = { at: "2026-11-24T00:00:00Z", remaining_ms: 1_000, on_expiry: "cancel" } as const;
  void requests.handlers.question({ ...question("a"), deadline }, circumstances().context);
  requests.handlers.event({ type: "StepInterrupted", payload: {} });
  expect(requests.current()[0]).toMatchObject({ deadline });
  requests.handlers.event({ type: "InteractionUpdated", payload: { request_id: "a", deadline: null } });
  expect(requests.current()[0]).toMatchObject({ deadline: null });
});

test("requests that others answered pile up over the next ones, or one with the person's work goes with them", () => {
  const requests = openRequests();
  const asked = (id: string) => {
    const { context, settle } = circumstances();
    Promise.resolve(requests.handlers.question(question(id), context)).catch(() => {});
    return () => settle(new RequestSettled("somebody else answered it"));
  };
  const ends = [asked("begun"), asked("a"), asked("b"), asked("c")];
  const [begun, , b] = requests.current();
  begun?.onBegin();
  b?.onBegin();
  for (const end of ends) end();
  expect(requests.current().map(({ request }) => request.id)).toEqual(["begun", "a", "b", "c"]);
  asked("d");
  expect(requests.current().map(({ request }) => request.id)).toEqual(["begun", "b", "c", "d"]);
});

test("more than the newest twenty of the settled requests that nobody dismisses stay when the next one comes", () => {
  const requests = openRequests();
  for (let count = 0; count < 25; count += 1) {
    const { context, settle } = circumstances();
    Promise.resolve(requests.handlers.question(question(String(count)), context)).catch(() => {});
    requests.current().at(-1)?.onBegin();
    settle(new Error("the turn ended"));
  }
  expect(requests.current().map(({ request }) => Number(request.id))).toEqual(
    Array.from({ length: 21 }, (_, at) => at + 4),
  );
});

test("a request that asks something else under the same id is another entry, without the work on the earlier one", () => {
  const requests = openRequests();
  const { context, settle } = circumstances();
  Promise.resolve(requests.handlers.approval(approval("a"), context)).catch(() => {});
  const [one] = requests.current();
  if (one?.kind === "approval") one.onDraft({ why: "", edit: { of: "rm a", text: "rm b" } });
  settle(new RequestSettled("it was asked anew, and otherwise"));
  const other = { ...approval("a"), description: "Runs something else" };
  void requests.handlers.approval(other, circumstances().context);
  const [before, now] = requests.current();
  expect(before).toMatchObject({ id: one?.id, settled: { message: "it was asked anew, and otherwise" } });
  expect([now?.request, now?.draft, now?.id === one?.id]).toEqual([other, undefined, false]);
  const update = { request_id: "a", deadline: null, answering: [{ connection: "c", name: "a phone" }] };
  requests.handlers.event({ type: "InteractionUpdated", payload: update });
  expect(requests.current().map(({ answering = [] }) => answering.length)).toEqual([0, 1]);
});

test("the end of a request is not told to the entry that stands beside an earlier one of its id", async () => {
  const requests = openRequests();
  const { context, settle } = circumstances();
  Promise.resolve(requests.handlers.approval(approval("a"), context)).catch(() => {});
  settle(new RequestSettled("it was asked anew, and otherwise"));
  const { context: second, tell } = circumstances();
  const reply = requests.handlers.approval({ ...approval("a"), quorum: 2 }, second);
  const now = requests.current()[1];
  if (now?.kind === "approval") now.onReply("approve");
  await reply;
  tell({ is: "taken" });
  expect(requests.current()[1]).toMatchObject({ settled: { message: "others must approve too" } });
  const outcome = { status: "answered", by: "human", at: "2026-11-24T00:00:00Z" } as const;
  requests.handlers.event({
    type: "InteractionSettled",
    payload: { request_id: "a", kind: "approval", outcome, response: undefined },
  });
  expect(requests.current()).toHaveLength(1);
});

/** An approval of two, which this person has approved, with the update that says so. */
async function approvedFirst() {
  const requests = openRequests();
  const { context, tell } = circumstances();
  const reply = requests.handlers.approval({ ...approval("a"), quorum: 2 }, context);
  const [one] = requests.current();
  if (one?.kind === "approval") one.onReply("approve");
  await reply;
  const by = (name: string) => ({
    name: "page",
    connection: name,
    principal: { id: name, name, via: "token" },
  });
  const update = (...names: string[]) =>
    requests.handlers.event({
      type: "InteractionUpdated",
      payload: { request_id: "a", deadline: null, approved_by: names.map(by), quorum: 2 },
    });
  update("Ann");
  tell({ is: "taken" });
  return { requests, tell, update };
}

test("an approval that others must give too stays with the names of those who gave it, and leaves once it is settled", async () => {
  const { requests } = await approvedFirst();
  const [waits] = requests.current();
  expect(waits).toMatchObject({
    delivery: { is: "taken" },
    settled: { message: "others must approve too" },
    approvedBy: [{ principal: { name: "Ann" } }],
  });
  expect(requests.current().filter(isWaiting)).toEqual([]);
  const outcome = { status: "answered", by: "human", at: "2026-11-24T00:00:00Z" } as const;
  requests.handlers.event({
    type: "InteractionSettled",
    payload: { request_id: "a", kind: "approval", outcome, response: undefined },
  });
  expect(requests.current()).toEqual([]);
});

test("the approval by the last of several people leaves at once", async () => {
  const requests = openRequests();
  const { context, tell } = circumstances();
  const reply = requests.handlers.approval({ ...approval("a"), quorum: 2 }, context);
  const by = (name: string) => ({ name: "page", connection: name });
  const payload = { request_id: "a", deadline: null, approved_by: [by("Ann")], quorum: 2 };
  requests.handlers.event({ type: "InteractionUpdated", payload });
  expect(requests.current()[0]?.approvedBy).toHaveLength(1);
  const [one] = requests.current();
  if (one?.kind === "approval") one.onReply("approve");
  await reply;
  const outcome = { status: "answered", by: "human", at: "2026-11-24T00:00:00Z" } as const;
  requests.handlers.event({
    type: "InteractionSettled",
    payload: { request_id: "a", kind: "approval", outcome, response: undefined },
  });
  tell({ is: "taken" });
  expect(requests.current()).toEqual([]);
});
