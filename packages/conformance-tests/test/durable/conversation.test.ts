import { describe, expect, test } from "vitest";
import { atOnce, oneByOne } from "./agent.js";
import { casts, hold } from "./conversation.js";

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

describe("a conversation without a fault", () => {
  const scripts = { "one by one": oneByOne, "all in one step": atOnce };
  test.each(
    casts.flatMap((cast) =>
      Object.keys(scripts).map((name) => [cast, name as keyof typeof scripts] as const),
    ),
  )(
    "a conversation asks two questions and wants an approval, writes a file and ends: %s, %s, each time by the same acts",
    async (cast, name) => {
      const steps = scripts[name];
      const [one, two] = [await hold({ cast, steps }), await hold({ cast, steps })];
      expect(one.people[0]?.result).toEqual({ status: "finished" });
      expect(one.people[0]?.asked.map(({ what }) => what).sort()).toEqual([
        "Which database?",
        "Which port?",
        "app.conf",
      ]);
      expect(one.world.effects).toEqual(["tc-3: app.conf"]);
      const acts = [one, two].map(({ acts }) =>
        acts.map((names) => names.map((name) => name.replace(ID, ""))),
      );
      expect(acts[0]).toEqual(acts[1]);
    },
  );
});
