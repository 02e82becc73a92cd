import {
  AskwireCapabilities,
  agentMethods,
  canShow,
  clientMethods,
  compareVersions,
  coreQuestion,
  degradations,
  QuestionInput,
  type Schema,
  validate,
} from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";

interface Payload {
  readonly kind: "event" | "request" | "response";
  readonly type: string;
  readonly payload: unknown;
  readonly reads: object | null;
}

function schemaOf({ kind, type }: Payload): Schema | undefined {
  if (kind === "event") return clientMethods.event.find(type)?.payload;
  const exchange = clientMethods.request.find(type);
  return kind === "request" ? exchange?.payload : exchange?.response;
}

describe("payloads in the vectors (P-MSG-1, P-MSG-2)", () => {
  test.each(vectors<Payload>("wire-1.10/payloads.json"))(
    "a payload is read as the vector says: $name",
    (vector) => {
      const schema = schemaOf(vector);
      expect(schema).toBeDefined();
      const read = validate(schema as Schema, vector.payload);
      if (vector.reads === null) expect(read.ok).toBe(false);
      else expect(read).toMatchObject({ ok: true, value: vector.reads });
    },
  );
});

interface Versions {
  readonly left: string;
  readonly right: string;
  readonly order: number;
}
test.each(vectors<Versions>("wire-1.10/version-order.json"))(
  "versions are in the order that the vector says: $name (P-VER-1)",
  ({ left, right, order }) => {
    expect(Math.sign(compareVersions(left, right))).toBe(order);
    expect(Math.sign(compareVersions(right, left)) + order).toBe(0);
  },
);

interface Shown {
  readonly request:
    | { readonly kind: "question"; readonly questions: readonly object[]; readonly program?: object }
    | { readonly kind: "approval"; readonly as_question?: true };
  readonly deadline?: true;
  readonly client: { readonly supports_question: boolean; readonly askwire?: object };
  readonly shown: boolean;
  readonly degraded: readonly object[];
}
const known = <T>(schema: Schema<T>, value: unknown): T => {
  const read = validate(schema, value);
  if (!read.ok) throw new Error(read.problem);
  return read.value as T;
};
describe("clients in the vectors (P-CAP-2, P-XQS-3)", () => {
  test.each(vectors<Shown>("askwire-draft/degradation.json"))(
    "a client is shown what the vector says, and the rest is listed: $name",
    (vector) => {
      const { request, deadline = false, shown, degraded } = vector;
      const { askwire, supports_question } = vector.client;
      const client =
        askwire === undefined
          ? { supports_question }
          : { supports_question, askwire: known(AskwireCapabilities, askwire) };
      if (request.kind === "approval") {
        const asQuestion = request.as_question ? {} : undefined;
        expect(canShow({ kind: "approval", asQuestion }, client)).toBe(shown);
        return;
      }
      const questions = request.questions.map((one, index) => coreQuestion(known(QuestionInput, one), index));
      expect(canShow({ ...request, questions }, client)).toBe(shown);
      if (!shown) return;
      const found = degradations(questions, deadline, client);
      expect(found).toHaveLength(degraded.length);
      expect(found).toEqual(expect.arrayContaining([...degraded]));
    },
  );
});

test("the methods of the vectors of calls are those of a server", () => {
  const lines = vectors<{ line: string }>("wire-1.10/calls.json").map(({ line }) => JSON.parse(line).method);
  expect(Object.keys(agentMethods).filter((method) => !lines.includes(method))).toEqual([]);
});
