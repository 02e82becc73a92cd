const en = {
  /** The name of a code block, by its language; empty for none. */
  code: (language: string) => (language === "" ? "Code" : `Code, ${language}`),
  table: "Table",
  /** The name of an image without one. */
  image: "Image",
};

/** The words that Markdown needs besides its own, in one language. */
export type MarkdownWords = typeof en;

const zh: MarkdownWords = {
  code: (language) => (language === "" ? "代码" : `代码，${language}`),
  table: "表格",
  image: "图片",
};

/** The words of Markdown, by language. */
export const markdownWords: Readonly<Record<"en" | "zh", MarkdownWords>> = { en, zh };
