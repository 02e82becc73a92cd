/** The variables with the keys of this command's providers, by type of provider. */
export const keyVariables = { openai_legacy: "OPENAI_API_KEY", kimi: "KIMI_API_KEY" } as const;
