// Sentences that a person types, and how: which keys a terminal sends, and when.
import fc from "fast-check";

const english = [
  "wait a minute",
  "stop it",
  "any reason why",
  "a 2 week delay, then 3 more",
  "1 more thing: not yet",
  "yes, but only the tests",
  "no",
  "n't that dangerous?",
  "y not use SQLite",
  "always ask me first",
  "approve nothing today",
  "2 of them are wrong",
  "an answer in 4 parts",
  "quit asking",
  "never",
];
const chinese = [
  "不要",
  "等一下",
  "先备份，再删除 2 个文件",
  "3 天以后再说",
  "y 是什么意思",
  "好的 不过先测试",
  "一 二 三",
];
const shell = [
  "rm -rf build && npm run build",
  "cd ..; ls -la | head -1",
  "git commit -am 'a y n 1 2 3'",
  "yarn add 1",
  "nano a.txt",
  "awk '{print $1 }' a",
  "4>&1 2>/dev/null",
  "  echo 1 2 3",
  "n=1; echo $n",
];
const word = fc.constantFrom(..."y a n yes no any nay 1 2 3 4 12 the file 再 等 -f && ok? q Any".split(" "));

/** The characters that mean something on an option; all of a sentence before another one may be keys. */
const keys = /^[yan\d ]*/;

/** A person's text, with at least one character that is prose alone. */
export const sentence = fc
  .oneof(
    fc.constantFrom(...english, ...chinese, ...shell),
    fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
    fc
      .tuple(fc.constantFrom("a ", "y", "n", "1 ", " ", ""), fc.constantFrom(...english, ...chinese))
      .map(([a, b]) => a + b),
  )
  .filter((text) => text.replace(keys, "").trim() !== "");

/** Its beginning that may be keys, where each stands alone. */
export const leadOf = (text: string): string => keys.exec(text)?.[0] ?? "";

const quick = fc.constantFrom(0, 0, 20, 90, 180, 299);
const pause = fc.oneof(quick, fc.constantFrom(300, 301, 450, 999, 1_000, 2_500, 60_000));

/** Characters, or a paste, each after a pause in milliseconds; the last is Enter. */
export interface Typing {
  readonly text: string;
  readonly steps: readonly (readonly [ms: number, bytes: string])[];
}

/**
 * A sentence typed key by key or pasted, then Enter.
 *
 * @param options.alone whether its first characters may stand alone, so that they are keys.
 */
export const typing = ({ alone }: { alone: boolean }): fc.Arbitrary<Typing> =>
  fc.oneof({ weight: 3, arbitrary: typed(alone) }, { weight: 1, arbitrary: pasted });

const typed = (alone: boolean) =>
  fc
    .tuple(sentence, fc.infiniteStream(quick), fc.infiniteStream(pause), fc.constantFrom(true, false))
    .map(([text, quickly, anyhow, isQuick]): Typing => {
      const lead = leadOf(text).length;
      const gaps = (at: number) => {
        const [quick, any] = [quickly, anyhow].map((stream) => stream.next().value as number);
        return (isQuick || (!alone && at > 0 && at <= lead) ? quick : any) as number;
      };
      return { text, steps: [...text, "\r"].map((bytes, at) => [gaps(at), bytes] as const) };
    });

const pasted = fc
  .tuple(
    fc.array(sentence, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("\n", "\r\n", " y ", "\n1\n"),
    fc.boolean(),
    pause,
  )
  .map(([parts, between, endsLine, ms]): Typing => {
    const text = parts.join(between) + (endsLine ? "\n" : "");
    return {
      text: text.replaceAll("\r\n", "\n"),
      steps: [
        [0, `\u001b[200~${text}\u001b[201~`],
        [ms, "\r"],
      ],
    };
  });
