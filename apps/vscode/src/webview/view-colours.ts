// The colours of code in the view.
import { codeColours, type Highlight } from "@askwire/react/code";

/** The text of the worker, which the build puts here. */
declare const COLOURS_WORKER: string;

/** Finds the colours of code in a worker of the view, made of a text: a webview may start none from a file. */
export const viewColours = (): Highlight =>
  codeColours(() => {
    const address = URL.createObjectURL(new Blob([COLOURS_WORKER], { type: "text/javascript" }));
    try {
      return new Worker(address);
    } finally {
      URL.revokeObjectURL(address);
    }
  });
