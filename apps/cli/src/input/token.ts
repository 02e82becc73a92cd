import { tokenProblem } from "@askwire/server";
import { usageFailure } from "./failure.js";
import { readOptionFile } from "./read-file.js";

export interface TokenOptions {
  readonly tokenFile?: string;
}

/**
 * The token of a server, from a file. The environment is not read, since the agent's commands could find it in /proc;
 * arguments are readable by everybody.
 *
 * @throws Failure for a token that could be guessed.
 */
export function serverToken({ tokenFile }: TokenOptions): string | undefined {
  if (tokenFile === undefined) return undefined;
  return strongToken(tokenFile, "--token-file");
}

/**
 * The token of the monitors that read a server's metrics, from a file.
 *
 * @throws Failure for a token that could be guessed.
 */
export function metricsToken({ metricsTokenFile }: { readonly metricsTokenFile?: string }) {
  if (metricsTokenFile === undefined) return undefined;
  const token = fromFile(metricsTokenFile, "--metrics-token-file");
  const problem = tokenProblem(token);
  if (problem !== undefined) throw usageFailure(`--metrics-token-file ${metricsTokenFile}: ${problem}`);
  return token;
}

/** The options of an address where clients may only answer. */
export interface AnswerTokenOptions {
  readonly answerAddress?: boolean;
  readonly answerTokenFile?: string;
}

/**
 * The token of clients that may only answer, from a file; true for a new one, and undefined where there are no such
 * clients.
 *
 * @throws Failure for a token that could be guessed.
 */
export function answerToken({
  answerAddress,
  answerTokenFile,
}: AnswerTokenOptions): string | true | undefined {
  if (answerTokenFile !== undefined) return strongToken(answerTokenFile, "--answer-token-file");
  return answerAddress === true ? true : undefined;
}

function strongToken(file: string, option: string): string {
  const token = fromFile(file, option);
  const problem = tokenProblem(token);
  if (problem === undefined) return token;
  throw usageFailure(`${file}: ${problem}; without ${option} a new token is made`);
}

/**
 * The token that a client sends, from the named file or else from the environment. An empty variable counts as unset.
 */
export function clientToken({ tokenFile }: TokenOptions): string | undefined {
  const token = tokenFile === undefined ? process.env.ASKWIRE_TOKEN : fromFile(tokenFile);
  if (token === undefined || (token === "" && tokenFile === undefined)) return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  const where = tokenFile ?? "ASKWIRE_TOKEN";
  throw usageFailure(`${where}: expected the token that the server printed after the #, without spaces`);
}

const fromFile = (file: string, option = "--token-file") => readOptionFile(option, file).trim();
