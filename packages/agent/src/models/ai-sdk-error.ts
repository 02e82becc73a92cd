import { ModelError } from "@askwire/server";
import {
  AISDKError,
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  InvalidStreamPartError,
  JSONParseError,
  NoContentGeneratedError,
  NoOutputGeneratedError,
  TypeValidationError,
} from "ai";

/** Errors of the SDK that say that the provider's answer is not as it should be. */
const answerErrors = [
  EmptyResponseBodyError,
  InvalidResponseDataError,
  InvalidStreamPartError,
  JSONParseError,
  NoContentGeneratedError,
  NoOutputGeneratedError,
  TypeValidationError,
];

/** Makes our error of one line from a failure of a provider or the SDK (P-MOD-4). Other values stay unchanged. */
export function toModelError(error: unknown): unknown {
  if (error instanceof ModelError) return error;
  if (APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400) return statusError(error);
  const code = networkCode(error);
  if (code !== undefined) return networkError(code, error);
  if (APICallError.isInstance(error) && error.statusCode === undefined)
    return new ModelError("connection", oneLine(error.message), undefined, { cause: error });
  if (answerErrors.some((kind) => kind.isInstance(error)) || APICallError.isInstance(error)) {
    const message = `the provider's answer is not understood: ${oneLine((error as Error).message)}`;
    return new ModelError("connection", message, undefined, { cause: error });
  }
  if (AISDKError.isInstance(error))
    return new ModelError("request", oneLine(error.message), undefined, { cause: error });
  return error instanceof Error ? error : streamedError(error);
}

function statusError(error: APICallError): ModelError {
  const { statusCode, message, responseHeaders } = error;
  const retryAfterMs = readRetryAfter(responseHeaders ?? {});
  return new ModelError("status", withStatus(statusCode, message), statusCode, {
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

const withStatus = (status: number | undefined, message: string) =>
  `HTTP status ${status}${message === "" ? "" : `: ${oneLine(message)}`}`;

function networkError(code: string, error: unknown): ModelError {
  const place = APICallError.isInstance(error) ? ` to ${new URL(error.url).origin}` : "";
  const kind = /TIMEOUT|TIMEDOUT/.test(code) ? "timeout" : "connection";
  return new ModelError(kind, `the connection${place} failed (${code})`, undefined, { cause: error });
}

/** The code of the network's failure, which `fetch` hides below its own error. */
function networkCode(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && /^(E[A-Z]+|UND_ERR_\w+|ERR_TLS_\w+)$/.test(code)) return code;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return undefined;
}

/** Reads a provider's JSON error in its stream. */
function streamedError(value: unknown): ModelError {
  const { message, code } = Object(value) as { message?: unknown; code?: unknown };
  const text =
    typeof message === "string" ? oneLine(message) : oneLine(JSON.stringify(value) ?? String(value));
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600
    ? new ModelError("status", withStatus(status, text), status)
    : new ModelError("status", text);
}

/** Milliseconds: of `retry-after-ms`, or of `retry-after`, which is a number of seconds or a date. */
function readRetryAfter(headers: Record<string, string>): number | undefined {
  const { "retry-after-ms": milliseconds, "retry-after": after } = headers;
  if (milliseconds !== undefined && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  if (after === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const MAX_MESSAGE = 1_000;

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE);
