import { codeSpans } from "./code-spans.js";

/** Code on its way to the worker. */
export interface AskedColours {
  readonly code: string;
  readonly language: string;
}

/** The part of a worker's own scope that it answers by. */
export interface WorkerScope {
  onmessage: ((event: MessageEvent) => unknown) | null;
  postMessage(message: unknown): void;
}

/**
 * Answers `codeColours` in a worker: this is all that the worker's file calls.
 *
 * @param scope the worker's `self`.
 */
export function serveColours(scope: WorkerScope): void {
  scope.onmessage = ({ data }: MessageEvent<AskedColours>) =>
    scope.postMessage({ spans: codeSpans(data.code, data.language) });
  // From here on the time counts: until now the file was loaded.
  scope.postMessage({ isReady: true });
}
