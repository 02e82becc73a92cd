/** The answer to a question by its id: which it is, nobody else can know. */
export const labelFor = (id: string) => ((id.codePointAt(0) ?? 0) % 2 === 0 ? "Even" : "Odd");
