/** Describes `ask_followup_question` to the model. */
export const kiloDescription = `Ask the user one question and wait for the answer.

Use it where you cannot go on without something that only they know: a requirement that can be read in several ways, a choice between ways that lead to different results, a detail that is nowhere to be found. Do not use it for what you can find out yourself, nor to confirm what was already asked of you: every question holds up the work.

- Ask one question, clear and specific.
- Suggest 2 to 4 answers. Each is complete and can be chosen as it is: no placeholders that the user would have to fill in.
- A suggestion may name a mode; choosing it asks to switch to that mode.
- The user may always answer in their own words, also with pictures.
`;

/** Tells a model without tool calls how to write the question into its text. */
export const inText = `To ask the user a question, write it in your message in this form, as the last thing, and end the message:

<ask_followup_question>
<question>Your question, clear and specific</question>
<follow_up>
<suggest>A complete answer</suggest>
<suggest mode="code">Another complete answer, which also asks to switch to the mode "code"</suggest>
</follow_up>
</ask_followup_question>

Ask one question in a message, and only where you cannot go on without something that only the user knows: every question holds up the work. Suggest 2 to 4 answers, each complete and without placeholders; the user may also answer in their own words. The answer comes with the next message, in \`<answer>\`.
`;
