/** The part of Trusted Types that is used, which the compiler does not know. */
export interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(path: string): string },
  ): { createScriptURL(path: string): string };
}

/** The files of the page's workers: for notifications and push messages, and for the colours of code. */
const files = ["/worker.js", "/colours.js"] as const;

/** Gives the address of a worker's file as the browser wants it. */
export type WorkerAddress = (file: (typeof files)[number]) => string;

/**
 * Makes addresses of workers by the one policy that the page's headers allow.
 *
 * @param trustedTypes undefined in a browser without them.
 */
export function workerAddresses(trustedTypes: TrustedTypes | undefined): WorkerAddress {
  let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;
  const createScriptURL = (path: string) => {
    const file = files.find((one) => one === path);
    if (file === undefined)
      throw new TypeError(`${path} is no worker of the page: name one of ${files.join(", ")}`);
    return file;
  };
  return (file) => {
    policy ??= trustedTypes?.createPolicy("askwire-worker", { createScriptURL });
    return policy?.createScriptURL(file) ?? file;
  };
}
