import { describe, expect, test } from "vitest";

const { href } = new URL("../../../scripts/check-effects.mjs", import.meta.url);
const { wrongEffects }: { wrongEffects(name: string, text: string): string[] } = await import(href);

const wrong = (source: string) => wrongEffects("a.tsx", source);

describe("a correct effect", () => {
  test.each([
    "useEffect(() => { look(); }, []);",
    "useEffect(() => void look(), [])",
    "React.useLayoutEffect(() => () => stop(), [])",
    "useEffect(() => { if (isOff) return; look(); return () => stop(); })",
    "useEffect(() => { const twice = () => { return look(); }; twice(); })",
    "useEffect(() => { [1].map(function add(one) { return one + 1; }); return function end() {}; })",
    "const shown = <p ref={box} />;",
    "const shown = <p ref={(element) => { box = element; }} />;",
  ])("an effect that returns nothing foreign passes the check: %s", (source) => {
    expect(wrong(source)).toEqual([]);
  });
});

describe("a wrong effect", () => {
  test.each([
    ["useEffect(() => box.current?.focus(), [])", "box.current?.focus()"],
    ["useInsertionEffect(() => (look()))", "(look())"],
    ["useEffect(() => { if (isOff) return look(); look(); })", "look()"],
    ["useEffect(() => { try { look(); } finally { return stop; } })", "stop"],
    ["useEffect(async () => { await look(); })", "async () => { await look(); }"],
    ["useEffect(look, [])", "look"],
    ["const shown = <p ref={(element) => look(element)} />;", "look(element)"],
  ])("an effect whose result React would call is named with its line: %s", (source, given) => {
    expect(wrong(`// Before.\n${source}`)).toEqual([`a.tsx:2: ${given}`]);
  });
});
