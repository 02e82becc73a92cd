/** Describes `AskUserQuestion` to the model. */
export const kimiDescription = `Put one to four questions to the person you work for, each with two to four options, and go on with what they choose.

Ask when the next step depends on something only they can decide: a preference, a trade-off, an ambiguous requirement, a choice that is costly to undo. Do not ask for what you can find out yourself, for permission to do what was already requested, or to confirm routine work.

- You can ask 1-4 questions at a time; put questions that belong together into one call.
- Every question stands on its own, is specific, and ends with a question mark.
- Options are short and differ from each other; a description says what choosing one leads to. If you would choose one yourself, list it first and append "(Recommended)" to its label.
- Users always have an "Other" option to answer in their own words, so do not add one.
- Set \`multi_select\` where several options may be true at once.
- If the person dismisses the question, go on with your best judgement and do not ask it again.
`;

/** Describes questions in the background. */
export const meanwhile = `- Set \`background\` where you have other work that does not depend on the answer. You are told at once that it is asked, and the answer comes in a message; never make it up, and do not ask again.
`;
