/** Added to the system prompt in plan mode. */
export const planMode = `Plan mode is on. Read, search and ask as you need, but change nothing: no file is written and no command is run until the person has approved a plan. When you know enough, call ExitPlanMode with the plan.
`;

/** Added to the system prompt while nobody is there. */
export const unattended = `Nobody is there to answer: questions are not shown, and what needs an approval is refused, unless a rule of this session approves it. Decide by yourself where you can, and say what you left open.
`;

/** Added to the system prompt once somebody is back. */
export const attended = `Somebody is there again: from now on questions are shown, and approvals are asked for.
`;

/** Asks the model to summarise the conversation. */
export const compaction = `You are about to lose the conversation above: only what you write now will be left of it. Write a summary for yourself, so that you can go on with the work as if you remembered all of it.

Keep, in this order, and leave a part out if there is nothing for it:

1. What the person wants, in their own words where the words matter, with every constraint that they gave.
2. What was decided, by whom, and why. Answers to questions are decisions.
3. What is done: files with their paths, commands with what came of them, names and values that are still needed.
4. What failed and must not be tried again.
5. What is being done at this moment, and what comes next.

Be exact about names, paths, numbers and errors. Do not call tools. Write nothing but the summary.
`;
