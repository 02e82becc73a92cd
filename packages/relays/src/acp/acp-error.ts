/** The codes of errors in ACP that mean something here. */
export const acpCodes = {
  invalidParams: -32602,
  methodNotFound: -32601,
  internal: -32603,
  authRequired: -32000,
  notFound: -32002,
  cancelled: -32800,
} as const;

/** An error as the answer to a request, of the agent's or of ours. */
export class AcpError extends Error {
  override readonly name = "AcpError";
  readonly code: number;
  /** More about the error, in any form. */
  readonly data: unknown;

  constructor(code: keyof typeof acpCodes | number, message: string, data?: unknown) {
    super(message);
    this.code = typeof code === "number" ? code : acpCodes[code];
    this.data = data;
  }
}
