// @ts-check
// An agent whose model asks as those of Kilo Code do, or of RedC. The model is scripted: the script is the argument.
import { readFileSync } from "node:fs";
import { modelAgent, readScripts, scriptedModel } from "@askwire/agent";
import { kilo, redc } from "@askwire/dialects";
import { createServer, serveStdio } from "@askwire/server";

const [file = ""] = process.argv.slice(2);
const scripts = readScripts(readFileSync(file, "utf8"), file);

// #region mode-agent
/** @type {import("@askwire/server").AgentFactory} */
const agent = ({ history }) => modelAgent({ model: scriptedModel(scripts), history });

/** @param {string} mode */
const switchMode = (mode) => console.error(`The model goes on in the mode ${mode}.`);

const dialects = [kilo({ switchMode, messagesAnswer: true }), redc()];
await serveStdio(createServer({ agent, dialects }));
// #endregion mode-agent
