// @ts-check
// Clients that break one promise each, on purpose. Usage: node broken-client.mjs FAULT
import { right, runClient } from "./raw-client.mjs";

/** @typedef {import("./raw-client.mjs").Json} Json */
/** @typedef {(reply: Json) => void} Send */

/** The answer to a question, with some change. */
const changed = (/** @type {(reply: Json, request: Json) => Json} */ change) => ({
  respond(/** @type {Json} */ request, /** @type {Json} */ orders) {
    return change(right.respond(request, orders), request);
  },
});
const dies = () => process.exit(1);
const seen = new Set();

/** Does something at the call of this number. */
function countTo(/** @type {number} */ last, /** @type {() => void} */ act) {
  let count = 0;
  return () => {
    count += 1;
    if (count === last) act();
  };
}

/** @type {Readonly<Record<string, Partial<typeof right>>>} */
const faults = {
  none: {},
  "leaks DEBUG": { environment: (env) => env },
  "has numbers for ids": { id: (count) => count },
  "needs initialize": { goesOnWithout: () => false },
  "takes any greeting": { accepts: () => true },
  "takes no other version": { accepts: (result) => result.protocol_version === "1.10" },
  "takes no member that it does not know": { accepts: (result) => !("x" in result) },
  "waits for ever for initialize": { initializeMs: 1_000_000 },
  "cuts characters": { decodes: false },
  "reads whole chunks only": { cut: (text, receive) => void right.cut(text, receive) ?? "" },
  "cuts lines at U+2028": { separator: /[\n\u2028]/ },
  "dies on CR LF": { read: (line) => (line.endsWith("\r") ? dies() : right.read(line)) },
  "dies on a long line": { read: (line) => (line.length > 16_777_216 ? dies() : right.read(line)) },
  "dies on a blank line": { read: (line) => (line === "" ? dies() : right.read(line)) },
  "dies on null": { read: (line) => (line === "null" ? dies() : right.read(line)) },
  "dies on broken JSON": { read: (line) => JSON.parse(line) },
  "writes U+2028 as it is": { write: (message) => `${JSON.stringify(message)}\n` },
  "writes two messages on a line": {
    write: (message) =>
      right.write(message).replace("\n", message.id === "r1" ? "\n" : ' {"jsonrpc":"2.0"}\n'),
  },
  "writes messages on several lines": { write: (message) => `${JSON.stringify(message, null, 1)}\n` },
  "dies on an unknown event": { hear: ({ params }) => void (params?.type === "TeapotBoiled" && dies()) },
  "dies on a flood": { hear: countTo(10_000, dies) },
  "dies on an event that does not fit": {
    hear: ({ params }) => void (params?.type === "ContentPart" && params.payload.text.length),
  },
  "answers events": { hear: ({ id }, send) => void (id !== undefined && send({ id, result: {} })) },
  "answers notifications": {
    hear: (message, send) =>
      void (
        message.method === "request" && send(right.respond({ id: "x", ...message }, { choose: [["Yes"]] }))
      ),
  },
  "takes any request": changed((reply, { id }) =>
    reply.error?.code === -32601 ? { id, result: {} } : reply,
  ),
  "checks no request": changed((reply, { id }) =>
    reply.error?.code === -32602 ? { id, result: {} } : reply,
  ),
  "takes no field that it does not know": changed((reply, { id, params }) =>
    params?.payload?.["x-left"] ? { id, error: { code: -32602, message: "x-left" } } : reply,
  ),
  "dies on equal questions": changed((reply, { params }) => {
    const texts = params?.payload?.questions?.map?.((/** @type {Json} */ { question }) => question);
    return new Set(texts).size < texts?.length ? dies() : reply;
  }),
  "dies on an answer from elsewhere": {
    hear: ({ params }) => void (params?.type === "ApprovalResponse" && dies()),
  },
  "dies on the older name of it": {
    hear: ({ params }) => void (params?.type === "ApprovalRequestResolved" && dies()),
  },
  "dies on a sub-agent's unknown event": {
    hear: ({ params }) => void (params?.payload?.event?.type === "TeapotBoiled" && dies()),
  },
  "reads arguments that are none": changed((reply, { params }) => {
    if (params?.type === "ToolCallRequest") JSON.parse(params.payload.arguments);
    return reply;
  }),
  "dies on an id that it has seen": changed((reply, { id }) => {
    if (seen.has(id)) dies();
    seen.add(id);
    return reply;
  }),
  "says another request_id": changed((reply) => ({ ...reply, result: { ...reply.result, request_id: "1" } })),
  "answers the first question only": {
    answers: (questions, orders) => right.answers(questions.slice(0, 1), orders),
  },
  "takes the payload's id for the request's": changed((reply) => ({
    ...reply,
    id: reply.result?.request_id,
  })),
  "answers a dismissed question with null": {
    answers: (questions, orders) => (orders.dismiss ? { x: null } : right.answers(questions, orders)),
  },
  "keeps the person's order": { order: (_options, chosen) => [...chosen] },
  "answers what was left out with a blank": { left: "" },
  "hides that it shows questions": { capabilities: { supports_question: false } },
  "knows no questions": {
    capabilities: {},
    respond: (request, orders) =>
      request.params?.type === "QuestionRequest"
        ? { id: request.id, error: { code: -32601, message: "no questions" } }
        : right.respond(request, orders),
  },
  "dies on an event of a later version": {
    hear: ({ params }) => void (params?.type === "StepRetry" && dies()),
  },
  "approves once whatever it is told": {
    respond: (request, orders) => right.respond(request, { ...orders, approve: "approve" }),
  },
  "dies on a sub-agent without a parent": {
    hear: ({ params }) =>
      void (params?.type === "SubagentEvent" && params.payload.parent_tool_call_id.length),
  },
  "takes any tool": changed((reply, { id, params }) => {
    if (params?.type !== "ToolCallRequest") return reply;
    const return_value = { is_error: false, output: "", message: "", display: [] };
    return { id, result: { tool_call_id: id, return_value } };
  }),
  "blocks any hook": changed((reply, { id, params }) =>
    params?.type === "HookRequest" ? { id, result: { request_id: id, action: "block" } } : reply,
  ),
  "outlives its agent": { mindsItsAgent: false },
  "leaves its agent alone": { killsItsAgent: false },
  "takes an error with id null for its own": {
    fits: (message, own) => message.id === null || right.fits(message, own),
  },
  "takes any response for its own": { fits: () => true },
};

const { argv } = process;
runClient(argv[2] === "has no fault" ? {} : (faults[argv[2] ?? ""] ?? dies()));
