import { expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";
import { introduction } from "../../../server/test/extended/extended-client.js";
import { scenario } from "../../../server/test/scenario.js";

interface Call {
  readonly line: string;
  readonly as?: "extended";
  readonly answer: {
    readonly error?: number;
    readonly result?: object;
    readonly without?: readonly string[];
  } | null;
}

test.each(vectors<Call>("wire-1.10/calls.json", "askwire-draft/calls.json"))(
  "a server without a turn answers $name as the vector says (P-MSG-3, P-INI-2, P-XNG-1)",
  async ({ line, as, answer }) => {
    const { client } = scenario(["text: hello"]).connect();
    if (as === "extended") await client.call("initialize", introduction());
    client.send(line);
    await client.settled();
    if (line.includes('"prompt"') && answer?.result) await client.seen("TurnEnd");
    await client.settled();
    const answers = client.received.filter(({ id }) => id === "x");
    expect(answers).toHaveLength(answer === null ? 0 : 1);
    for (const { error, result = {} } of answers) {
      expect(error?.code).toBe(answer?.error);
      expect(result).toMatchObject(answer?.result ?? {});
      for (const member of answer?.without ?? []) expect(result).not.toHaveProperty(member);
    }
    client.close();
  },
);
