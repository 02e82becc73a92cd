import type { ClientSession, WantedCode } from "@askwire/client";
import { useEffect, useState } from "react";

/** A code for a phone, from when it is asked for to its end. */
export type CodeState =
  | { readonly is: "asked" }
  /** `until` is a time of `performance.now()`. */
  | { readonly is: "made"; readonly code: string; readonly address: string; readonly until: number }
  /** `device` is foreign text. */
  | { readonly is: "used"; readonly device: string }
  | { readonly is: "over" }
  /** No other machine reaches the server. */
  | { readonly is: "unreachable" }
  | { readonly is: "failed"; readonly why: string };

/**
 * A code of the server for as long as the component is there: another one with another role, person or number.
 *
 * @param wanted its role, `answer` for a phone that may only answer, and the name of the person who has it.
 */
export function usePairingCode(
  session: ClientSession,
  { role, person }: WantedCode,
  number: number,
): CodeState {
  const [state, setState] = useState<CodeState>({ is: "asked" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each number is another code.
  useEffect(() => {
    const gone = new AbortController();
    const tell = (next: CodeState) => gone.signal.aborted || setState(next);
    tell({ is: "asked" });
    void followCode(
      session,
      { ...(role && { role }), ...(person && { person }) },
      { signal: gone.signal, tell },
    );
    return () => gone.abort();
  }, [session, role, person, number]);
  return state;
}

/** Asks for a code, and tells what becomes of it. The signal ends it. */
async function followCode(
  session: ClientSession,
  wanted: WantedCode,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (state: CodeState) => void },
): Promise<void> {
  try {
    const made = await session.createPairingCode(wanted);
    const { code, address, expires_in_ms } = made;
    tell({ is: "made", code, address, until: performance.now() + expires_in_ms });
    const device = await session.awaitPairing(code, { signal });
    tell(device === undefined ? { is: "over" } : { is: "used", device: device.name });
  } catch (error) {
    tell(isUnreachable(error) ? { is: "unreachable" } : { is: "failed", why: (error as Error).message });
  }
}

const isUnreachable = (error: unknown) =>
  (error as { readonly data?: { readonly reason?: unknown } }).data?.reason === "unreachable";
