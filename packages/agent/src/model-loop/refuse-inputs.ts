import { type UserInput, WireError } from "@askwire/protocol";
import type { Model, ModelInput } from "@askwire/server";

/** @throws WireError ModelNotSupported for content that a model does not take. */
export function refuseInputs({ inputs, name }: Model, input: UserInput): void {
  if (inputs === undefined || typeof input === "string") return;
  const refused = input.find(
    ({ type }) => !["text", "think"].includes(type) && !inputs.includes(type as ModelInput),
  );
  if (refused === undefined) return;
  throw new WireError("ModelNotSupported", `Model "${name}" does not take ${refused.type} content`);
}
