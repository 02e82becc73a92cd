import { expect, test } from "vitest";
import { globFor, pathsFor } from "../src/surfaces/path-order.js";

const files = [
  "src/cart/list.ts",
  "docs/cart.md",
  "src/shopcart.ts",
  "Cart.ts",
  "src/deep/cart/a.ts",
  "x.txt",
];

test("suggested files are those with the part in their path: by their name first, then the shorter ones", () => {
  expect(pathsFor("cart", [], files)).toEqual([
    "Cart.ts",
    "docs/cart.md",
    "src/shopcart.ts",
    "src/cart/list.ts",
    "src/deep/cart/a.ts",
  ]);
  expect(pathsFor("SRC/", [], files)[0]).toBe("src/shopcart.ts");
  expect(pathsFor("nothing", [], files)).toEqual([]);
});

test("open files come first among equals, and no file comes twice", () => {
  expect(pathsFor("", ["x.txt", "docs/cart.md"], files).slice(0, 2)).toEqual(["x.txt", "docs/cart.md"]);
  expect(pathsFor("", files, files)).toHaveLength(files.length);
  const many = Array.from({ length: 100 }, (_, at) => `${at}.ts`);
  expect(pathsFor("", [], many)).toHaveLength(20);
});

test.each([
  ["", "**/*"],
  ["Ab/c", "{**/*[aA][bB]/[cC]*,**/*[aA][bB]/[cC]*/**}"],
  ["a{*}x", "{**/*[aA]???[xX]*,**/*[aA]???[xX]*/**}"],
  ["账单", "{**/*账单*,**/*账单*/**}"],
])(
  "the part %j of a path is looked for by the glob %s, in which the person's signs mean nothing",
  (begun, glob) => {
    expect(globFor(begun)).toBe(glob);
  },
);
