/** Describes `AskUserQuestion` to the model. */
export const klaudeDescription = `Ask the user one to four questions and wait for what they choose. The turn goes on with their answers; if they decline to answer, it ends.

Call it when the work depends on a decision that only the user can make: what they prefer, which of several sound designs to follow, what an unclear instruction means, whether a costly step is worth it. Find out by yourself whatever you can, and do not ask whether you may do what you were told to do.

- Put what belongs together into one call: 1-4 questions, each with 2-4 options.
- \`header\` is a tag of at most 12 characters, such as "Storage" or "Auth style".
- A label is a few words; its description says what follows from choosing it. Put the option that you advise first and end its label with "(Recommended)".
- The user can always answer in their own words under "Other", so never list such an option yourself.
- Set \`multiSelect\` where more than one option may hold at once, and word the question accordingly.
- Where options are best compared by looking at them (a layout, a snippet, a configuration), give each a \`markdown\` preview. Only questions with a single choice show previews.
- Write questions and options in the language of the user.
`;
