/** The languages of the words to the person. */
export const personLanguages = ["en", "zh"] as const;
export type PersonLanguage = (typeof personLanguages)[number];

/** The question about mistakes, by language. */
export const personWords = {
  en: {
    question: (limit: number) =>
      `The model has made ${inARow(limit)} when it wanted to ask you something. What should it do?`,
    options: [
      { label: "Try again", description: "It writes its question once more." },
      { label: "Go on without asking", description: "It decides by itself." },
    ],
  },
  zh: {
    question: (limit: number) =>
      `模型想向你提问，但${limit === 1 ? "出了错" : `连续出错 ${limit} 次`}。接下来怎么办？`,
    options: [
      { label: "再试一次", description: "模型重新写出它的问题。" },
      { label: "不再提问，继续", description: "由模型自行决定。" },
    ],
  },
} satisfies Record<PersonLanguage, unknown>;

/** The number of mistakes in English, as the model is told it too. */
export const inARow = (limit: number) => (limit === 1 ? "a mistake" : `${limit} mistakes in a row`);
