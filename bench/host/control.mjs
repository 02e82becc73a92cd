/**
 * Answers control messages `{id, task, args}` with `{id, result}` or `{id, error}`, and ends with the parent.
 * @param {Record<string, (args: any) => unknown>} tasks
 */
export function answerControl(tasks) {
  process.on("message", async (/** @type {any} */ { id, task, args }) => {
    try {
      const run = tasks[task];
      if (run === undefined) throw new Error(`no task "${task}"; there are ${Object.keys(tasks).join(", ")}`);
      process.send?.({ id, result: await run(args) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on("disconnect", () => process.exit(0));
}
