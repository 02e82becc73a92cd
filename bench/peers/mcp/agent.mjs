/** @import { Asker, Question, Serve } from "../../contract.js" */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

/** @typedef {ReturnType<typeof formOf>} Form */

/**
 * A choice with titles, in the older of the SDK's two spellings, which compiles faster.
 * @type {(question: Question) => { type: "object", properties: object, required: string[] }}
 */
export function formOf({ header, options }) {
  const answer = {
    type: "string",
    title: header,
    enum: options.map(({ label }) => label),
    enumNames: options.map(({ label, description }) => `${label}: ${description}`),
  };
  return { type: "object", properties: { answer }, required: ["answer"] };
}

/** @type {() => (question: Question) => Form} */
function rememberForms() {
  /** @type {Map<Question, Form>} */
  const forms = new Map();
  return (question) => {
    const form = forms.get(question) ?? formOf(question);
    forms.set(question, form);
    return form;
  };
}

/** @type {(serve: Serve, form?: (question: Question) => Form) => Promise<void>} */
export async function overStdio(serve, form = rememberForms()) {
  const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities: {} });
  /** @type {Asker} */
  const asker = {
    async ask(question) {
      const requestedSchema = /** @type {any} */ (form(question));
      const { content } = await server.elicitInput(
        { message: question.question, requestedSchema },
        { timeout: 600_000 },
      );
      return String(content?.answer);
    },
  };
  server.oninitialized = () => void serve(asker);
  await server.connect(new StdioServerTransport());
}
