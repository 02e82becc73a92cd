// The start of the command. Code loaded from here on is compiled once, not at every start.
import { join } from "node:path";
import { keepCompiledCode } from "./code-cache.js";
import { ownExecutable } from "./installed/own-executable.js";
import { runNamedScript } from "./installed/own-node.js";

const { HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, ".cache"));
const isExecutable = ownExecutable() !== undefined;
// An executable carries its compiled code.
if (caches && !NODE_DISABLE_COMPILE_CACHE && !isExecutable) keepCompiledCode(join(caches, "askwire"));

if (!isExecutable || !runNamedScript(process.argv)) void import("./main.js");
