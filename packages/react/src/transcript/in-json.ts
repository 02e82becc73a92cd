/** A text as it stands in JSON, without its quotes. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
