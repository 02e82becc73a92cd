import type { QuestionInput } from "@askwire/protocol";
import fc from "fast-check";

/** A request as an agent's tool would make it, with ids, so that every surface shows the same one. */
export type Driven =
  | { readonly questions: readonly DrivenQuestion[] }
  | {
      readonly sender: string;
      readonly action: string;
      readonly description: string;
      readonly edit?: { readonly content: string };
    };

/** A question whose options have labels of which none begins another. */
export type DrivenQuestion = Omit<QuestionInput, "id" | "options"> & {
  readonly id: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
};

/** Labels with what a renderer, a reader of names or a search may fall over. */
const labels = [
  "Alpine",
  "Bookworm <b>12</b>",
  "Cent\u202eOS",
  "Debian, and more",
  "Ende\u00e0vour",
  "Fedora: 44",
  'Gentoo "rice"',
  "Hyprland - [x]",
  "龙蜥 8",
  "Kali 🐉",
  "Lubuntu — light",
  "Mint",
  "NixOS",
  "openSUSE",
  "Pop!_OS",
  "Qubes",
];

const option = (index: number) =>
  fc.record(
    {
      id: fc.constant(`o${index}`),
      label: fc.constant(labels[index] as string),
      description: fc.constantFrom("One file", "A server, which runs apart"),
      preview: fc.constant("- a\n- list"),
      recommended: fc.constant(true),
    },
    { requiredKeys: ["id", "label"] },
  );

const options = fc
  .constantFrom(2, 3, 4, 9, labels.length)
  .chain((count) => fc.tuple(...labels.slice(0, count).map((_, index) => option(index))));

const shared = (id: string) => ({
  id: fc.constant(id),
  question: fc.constant(`Which of ${id}?`),
  header: fc.constantFrom("", `Head ${id}`),
});

const choice = (id: string) =>
  fc.record({ ...shared(id), options, multi_select: fc.boolean(), own_text: fc.boolean() });
const typed = (id: string) =>
  fc.record({
    ...shared(id),
    options: fc.constant([]),
    field: fc.oneof(
      fc.record({ type: fc.constantFrom("text", "email", "uri" as const), required: fc.boolean() }),
      fc.record({ type: fc.constant("number" as const), prefill: fc.constantFrom("1e3", "007", "0.5") }),
      fc.record({ type: fc.constantFrom("number", "integer" as const), required: fc.boolean() }),
      fc.record({ type: fc.constant("date" as const), prefill: fc.constantFrom("2026/3/1", "2026-03-01") }),
      fc.record({ type: fc.constant("date" as const), required: fc.boolean() }),
      // Checked by the server alone, which refuses what does not fit.
      fc.record({ type: fc.constant("text" as const), pattern: fc.constant("^[a-z]") }),
    ),
  });
const words = (id: string) => fc.record({ ...shared(id), options: fc.constant([]) });

const question = (id: string) =>
  fc.oneof(
    { arbitrary: choice(id), weight: 4 },
    { arbitrary: typed(id), weight: 2 },
    { arbitrary: words(id), weight: 1 },
  );

const approval = fc.record(
  {
    sender: fc.constant("Shell"),
    action: fc.constant("run a command"),
    description: fc.constantFrom("Runs `ls -la`", "List the files"),
    edit: fc.record({ content: fc.constantFrom("ls -la", "cd a\r\n  make\r\n", "echo 'hi'\n\n") }),
  },
  { requiredKeys: ["sender", "action", "description"] },
);

/** Any request. */
export const requests: fc.Arbitrary<Driven> = fc.oneof(
  { arbitrary: fc.record({ questions: fc.tuple(question("q1")) }), weight: 4 },
  { arbitrary: fc.record({ questions: fc.tuple(question("q1"), question("q2")) }), weight: 3 },
  {
    arbitrary: fc.record({ questions: fc.tuple(question("q1"), question("q2"), question("q3")) }),
    weight: 1,
  },
  { arbitrary: approval, weight: 2 },
) as fc.Arbitrary<Driven>;
