// The tokens of the theme, by its tokens.css: name, value in the light and the dark, and the comment above it.

/** @param {string} css @returns {readonly (readonly string[])[]} */
export function tokenRows(css) {
  const [base = "", ...others] = css.split(/^@media /m);
  const elsewhere = new Map(
    others.flatMap((block) => {
      const where = block.startsWith("(pointer: coarse)") ? "on touch" : "with reduced motion";
      return declarations(block).map(({ name, value }) => [name, `${where} ${code(value)}`]);
    }),
  );
  return declarations(base).map(({ name, value, says }) => {
    if (says === "") throw new Error(`tokens.css: what is ${name} for? Say it in a comment behind it`);
    const [, light = value, dark = ""] = /^light-dark\((.+?(?:\(.*?\))?), (.+)\)$/.exec(value) ?? [];
    return [code(name), code(light), dark === "" ? (elsewhere.get(name) ?? "") : code(dark), says];
  });
}

/** @param {string} css */
const declarations = (css) =>
  [...css.matchAll(/(--askwire-[\w-]+):\s*([^;]+);(?: \/\* (.+?) \*\/)?/g)].map(
    ([, name = "", value = "", says = ""]) => ({
      name,
      value: value
        .replaceAll(/\s+/g, " ")
        .replaceAll(/(?<=\() | (?=\))/g, "")
        .trim(),
      says,
    }),
  );

const code = (/** @type {string} */ text) => `\`${text}\``;
