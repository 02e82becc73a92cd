import { fileURLToPath } from "node:url";
import type { ClientHandlers } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { expect, test } from "vitest";

const example = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Runs the guide's own dialect, and returns its text for the model and the model's next words. */
async function confirmed(handlers: ClientHandlers) {
  const session = await connectProcess(process.execPath, [example("own-dialect.mjs")], { handlers });
  let said = "";
  const told: unknown[] = [];
  for await (const { type, payload } of session.prompt("Clean up")) {
    if (type === "ToolResult") told.push(payload.return_value.output);
    if (type === "ContentPart" && payload.type === "text") said += payload.text;
  }
  await session.close();
  return { told, said };
}

const chosen = (option: number): ClientHandlers => ({
  question({ questions: [question] }) {
    expect(question).toMatchObject({ question: "Delete the logs of last year?", own_text: false });
    const id = question?.options[option]?.id ?? "";
    return { items: [{ question_id: question?.id ?? "", selected: [id] }] };
  },
});

test.each([
  [0, "yes"],
  [1, "no"],
])("a custom dialect reads option %i as %s (P-DIA-4)", async (option, word) => {
  expect(await confirmed(chosen(option))).toEqual({ told: [word], said: "I keep to that." });
});

test("a custom dialect ends the turn when the person declines (P-DIA-4)", async () => {
  expect(await confirmed({ question: () => "declined" })).toEqual({ told: ["no"], said: "" });
});

test("a custom dialect tells its model in its own words that this client shows no questions (P-DIA-5)", async () => {
  const { told } = await confirmed({});
  expect(told).toEqual(["Neither yes nor no: ask in your text."]);
});

test("an agent with two of the shipped dialects learns the mode of the chosen suggestion (P-DIA-1)", async () => {
  let heard = "";
  const session = await connectProcess(
    process.execPath,
    [example("mode-agent.mjs"), example("dialects/kilo.json")],
    {
      handlers: { question: () => ({ answers: { "Which database?": "PostgreSQL, a server of its own" } }) },
      onStderr(text) {
        heard += text;
      },
    },
  );
  expect(await session.prompt("Set up the project").result).toMatchObject({ status: "finished" });
  await session.close();
  expect(heard).toBe("The model goes on in the mode architect.\n");
});

test("a model that sees only names asks for the parameters of a tool, and calls it", async () => {
  const session = await connectProcess(process.execPath, [example("services-agent.mjs")], {});
  const told: string[] = [];
  for await (const { type, payload } of session.prompt("Do I need an umbrella?")) {
    if (type === "ToolResult") told.push(String(payload.return_value.output));
  }
  await session.close();
  expect(JSON.parse(told[0] ?? "")).toMatchObject({
    status: "success",
    parameters: { city: { type: "string", required: true }, day: { required: true } },
  });
  expect(told[1]).toBe("Rain in Bergen on Monday.");
});
