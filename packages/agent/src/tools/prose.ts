/** Describes `EnterPlanMode` to the model. */
export const enterPlanMode = `Ask the person whether you may plan first: look around without changing anything, then show a plan for approval.

Use it where the work is large, where several approaches differ in their consequences, or where a wrong start is costly to undo. Do not use it for small or clearly described work, or when you were told to go ahead.

- In plan mode tools that only look work as always; those that change something refuse.
- When the plan is ready, call ExitPlanMode with it.
- If the person says no, go on without a plan and do not ask again for the same work.
`;

/** Describes `ExitPlanMode` to the model. */
export const exitPlanMode = `Show the person your plan and ask whether to carry it out. Only in plan mode.

- \`plan\` is the whole plan in Markdown: what changes, where, in which order, and how you will check it. The person sees nothing else, so leave nothing out.
- Where the plan has variants to choose from, give one to three \`options\`, each with a short label of its own and what choosing it leads to; choosing one approves the plan in that variant. Without options the person is asked to approve it as it is.
- The person may approve, reject, or say what to revise. Only when they approve is plan mode switched off; then carry the plan out. When they ask for a revision, change the plan and call this again.
- Do not ask in your text or by another tool whether the plan is fine: that is what this tool does.
`;
