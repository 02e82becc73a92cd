import type { ContentPart, ToolCall } from "@askwire/protocol";
import type { ProviderMetadata } from "ai";

/*
 * Data that a provider wants back word for word, such as the signature of a thought (P-MOD-3). A thought carries the
 * data as its `encrypted`, a call in its `extras`.
 */

/** The thought that carries it. */
export function thoughtWith(think: string, metadata: ProviderMetadata | undefined): ContentPart {
  return { type: "think", think, encrypted: metadata === undefined ? null : JSON.stringify(metadata) };
}

/** The data of a thought; undefined for another provider's data too. */
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
