// The start of the command. Code loaded from here on is compiled once, not at every start.
import { join } from "node:path";
import { keepCompiledCode } from "./code-cache.js";

const { HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, ".cache"));
if (caches && !NODE_DISABLE_COMPILE_CACHE) keepCompiledCode(join(caches, "askwire"));

void import("./main.js");
