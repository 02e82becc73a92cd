/** @import { Serve } from "../../contract.js" */
import { formOf, overStdio as overStdioWith } from "../mcp/agent.mjs";

/** @type {(serve: Serve) => Promise<void>} */
export const overStdio = (serve) => overStdioWith(serve, formOf);
