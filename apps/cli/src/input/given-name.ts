import { personProblem } from "@askwire/server";
import { usageFailure } from "./failure.js";

/**
 * A name of a person or a role as it was given, in the form in which names are compared.
 *
 * @param place the command and the option, with which a message begins.
 * @throws Failure for what is no such name.
 */
export function givenName(place: string, text: string): string {
  const name = text.normalize("NFC").trim();
  const problem = personProblem(name);
  if (problem !== undefined) throw usageFailure(`${place}: ${problem}`);
  return name;
}
