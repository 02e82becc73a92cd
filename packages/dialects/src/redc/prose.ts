/** Describes `ask_user` to the model. */
export const redcDescription = `Ask the user one question and wait for the answer.

Use it at a decision that is theirs: several ways out of a failure, several valid ways to deploy, what something may cost or risk, or how to go on after a command has failed. Give \`choices\` that are clear, short and differ from each other. The user may also answer in their own words, unless \`allow_freeform\` is false. The answer comes back word for word.

Do not use it for routine confirmations.
`;

/** Tells the model when to ask. */
export const redcPrompt = `Where you cannot decide alone, ask: call \`ask_user\` with one question, say in it what the decision hangs on, and give clear choices. Do not ask for simple confirmations, nor for what you can find out yourself.
`;
