import { usageFailure } from "./failure.js";
import { readOptionFile } from "./read-file.js";

export interface TokenOptions {
  readonly tokenFile?: string;
}

/** The token from the file that is named, or from the environment; never from the arguments, which others can see. Empty, the environment has none. */
export function tokenFrom({ tokenFile }: TokenOptions): string | undefined {
  const token =
    tokenFile === undefined ? process.env.ASKWIRE_TOKEN : readOptionFile("--token-file", tokenFile).trim();
  if (token === undefined || (token === "" && tokenFile === undefined)) return undefined;
  if (!/^[!-~]{16,}$/.test(token)) {
    const where = tokenFile ?? "ASKWIRE_TOKEN";
    throw usageFailure(`${where}: expected a token of at least 16 ASCII characters without spaces`);
  }
  return token;
}
