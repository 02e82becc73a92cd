import type { ContentPart, ToolCall } from "@askwire/protocol";
import type { ProviderMetadata } from "ai";

/*
 * What a provider wants back word for word with the next request, such as the signature of a thought. A thought
 * carries it as its `encrypted`, a call in its `extras` (P-MOD-3).
 */

/** The thought that carries it. */
export function thoughtWith(think: string, metadata: ProviderMetadata | undefined): ContentPart {
  return { type: "think", think, encrypted: metadata === undefined ? null : JSON.stringify(metadata) };
}

/** What a thought carries; undefined also if it is another provider's. */
export function ofThought(encrypted: string | null): ProviderMetadata | undefined {
  if (encrypted === null || !encrypted.startsWith("{")) return undefined;
  try {
    return read(JSON.parse(encrypted));
  } catch {
    return undefined;
  }
}

/** The `extras` of a call that carry it. */
export function extrasWith(metadata: ProviderMetadata | undefined): Record<string, unknown> | null {
  return metadata === undefined ? null : { provider: metadata };
}

export function ofCall({ extras }: ToolCall): ProviderMetadata | undefined {
  return read(extras?.provider);
}

function read(value: unknown): ProviderMetadata | undefined {
  const isObject = (item: unknown) => typeof item === "object" && item !== null && !Array.isArray(item);
  const valid = isObject(value) && Object.values(value as object).every(isObject);
  return valid ? (value as ProviderMetadata) : undefined;
}
