// The host's form in both generations of the protocol: of 2025 it is a request of ours, of 2026 the call says what is
// needed and comes again with the reply.
import {
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AskedQuestion } from "../ask/questions.js";
import type { Result } from "./asking.js";
import {
  afterForm,
  type FormStep,
  type FormTry,
  formFailed,
  type HostReply,
  hostForm,
  NO_FORMS,
} from "./through-host.js";

/** The time that a form of the host may stay open, in milliseconds: the host has its own clock. */
const FORM_MS = 24 * 60 * 60 * 1_000;

/** The name of the form among the inputs of a call. */
const FORM = "form";

/** The end of the way through the host's form; `elsewhere` says why the questions have to be asked at the gateway. */
export type HostFormEnd =
  | { readonly result: Result }
  | { readonly input: InputRequiredResult }
  | { readonly elsewhere: string };

/** Asks in the host's form, and again where a value does not fit. */
export async function askInForm(
  questions: readonly AskedQuestion[],
  asker: string,
  server: Server,
  ctx: ServerContext,
): Promise<HostFormEnd> {
  if (!showsForms(server, ctx)) return { elsewhere: NO_FORMS };
  const { mcpReq } = ctx;
  const first: FormTry = { since: Date.now(), tries: 0 };
  if (mcpReq.envelope !== undefined) {
    const reply = mcpReq.inputResponses?.[FORM] as HostReply | undefined;
    const step: FormStep =
      reply === undefined
        ? { again: first }
        : afterForm(questions, reply, tryIn(mcpReq.requestState()), Date.now());
    if (!("again" in step)) return step;
    const form = inputRequired.elicit(hostForm(questions, asker, step.again) as never);
    return {
      input: inputRequired({ inputRequests: { [FORM]: form }, requestState: JSON.stringify(step.again) }),
    };
  }
  let step: FormStep = { again: first };
  while ("again" in step) {
    const shown: FormTry = step.again;
    try {
      // The SDK's own way takes a value that does not fit for a failure, and no client of an empty `elicitation`.
      const form = { method: "elicitation/create", params: hostForm(questions, asker, shown) };
      const reply = await server.request(form as never, {
        ...{ relatedRequestId: mcpReq.id, timeout: FORM_MS, signal: mcpReq.signal },
        // A host that tells progress keeps its form open.
        ...{ resetTimeoutOnProgress: true, onprogress: () => {} },
      });
      step = afterForm(questions, reply as HostReply, shown, Date.now());
    } catch (error) {
      mcpReq.signal.throwIfAborted();
      return { elsewhere: formFailed((error as Error).message) };
    }
  }
  return step;
}

/** Reads the state that comes back with a reply. One that a host has changed is that of a first form, just shown. */
function tryIn(state: unknown): FormTry {
  try {
    const { since, tries } = JSON.parse(String(state)) as FormTry;
    if (Number.isFinite(since) && Number.isInteger(tries)) return { since, tries };
  } catch {
    // The state is not ours.
  }
  return { since: Date.now(), tries: 0 };
}

/** The protocol of 2026 says in each request what the host can show, that of 2025 once. */
function showsForms(server: Server, { mcpReq }: ServerContext): boolean {
  const said: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const can = said["io.modelcontextprotocol/clientCapabilities"] ?? server.getClientCapabilities();
  const { elicitation } = Object(can) as { readonly elicitation?: object };
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}
