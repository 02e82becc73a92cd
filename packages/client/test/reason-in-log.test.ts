import { expect, test } from "vitest";
import { reasonIn } from "../src/process/reason-in-log.js";

test.each([
  [
    "an uncaught error of Node",
    "file:///home/ada/agent.mjs:1\nthrow new Error('no key');\n      ^\n\nError: no key\n    at file:///home/ada/agent.mjs:1:7\n    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)\n\nNode.js v20.20.2\n",
    "Error: no key (/home/ada/agent.mjs:1:7)",
  ],
  [
    "an error with a code, thrown inside of Node",
    "node:internal/modules/esm/resolve:283\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at finalizeResolution (node:internal/modules/esm/resolve:283:11)\n",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'",
  ],
  [
    "a traceback of Python",
    'Traceback (most recent call last):\n  File "/home/ada/agent.py", line 3, in <module>\n    main()\n  File "/home/ada/keys.py", line 9, in main\n    raise ValueError("bad key")\nValueError: bad key\n',
    "ValueError: bad key (/home/ada/keys.py:9)",
  ],
  [
    "an error in a file with a blank in its path",
    "Error: no key\n    at run (file:///home/ada/my%20agent.mjs:1:7)\n",
    "Error: no key (/home/ada/my agent.mjs:1:7)",
  ],
  [
    "an error in a file whose address is none",
    "Error: no key\n    at file:///home/ada/50%.mjs:1:7\n",
    "Error: no key (/home/ada/50%.mjs:1:7)",
  ],
  [
    "an error without a stack",
    "Error: no key\nset KEY, then start again\n",
    "Error: no key\nset KEY, then start again",
  ],
  [
    "a line of pino",
    '{"level":50,"time":1,"turn":"7","err":{"type":"Error","message":"no key","stack":"Error: no key\\n    at run (/a.mjs:1:7)"},"msg":"the agent failed"}\n',
    "the agent failed: no key",
  ],
  [
    "a line of another logger, and the command's own",
    '{"severity":"ERROR","message":"no key","error":"no key"}\naskwire: no such agent\n',
    "no key\naskwire: no such agent",
  ],
  ["an object without words", '{"level":50}\n', '{"level":50}'],
  ["a log in words", "starting\nno key: set KEY\n", "starting\nno key: set KEY"],
])("the reason in a log that ends with %s is said", (_, log, reason) => {
  expect(reasonIn(log)).toBe(reason);
});
