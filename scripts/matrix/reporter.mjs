/** Tells the process that started vitest what has run, by messages between the two. */
export default class MatrixReporter {
  onTestRunStart(/** @type {readonly unknown[]} */ files) {
    process.send?.({ type: "start", files: files.length });
  }

  onTestModuleEnd(/** @type {import("vitest/node").TestModule} */ file) {
    /** @type {Record<string, number>} */
    const count = { passed: 0, failed: 0, skipped: 0 };
    /** @type {string[]} */
    const failed = file.errors().length > 0 ? [file.relativeModuleId] : [];
    for (const test of file.children.allTests()) {
      const { state } = test.result();
      if (state === "failed") failed.push(`${file.relativeModuleId} > ${test.fullName}`);
      if (state in count) count[state] = (count[state] ?? 0) + 1;
    }
    process.send?.({ type: "file", ...count, names: failed });
  }

  onTestRunEnd(/** @type {unknown} */ _files, /** @type {readonly { message?: string }[]} */ errors) {
    const names = errors.map(({ message = "an error" }) => `outside of the tests: ${message.split("\n")[0]}`);
    process.send?.({ type: "end", names });
  }
}
