import { connectWebSocket } from "@askwire/client/websocket";
import { onTestFinished } from "vitest";
import { startServe } from "../askwire.js";

/** A server of this person, as a process of its own. */
export async function serverOf(home: string, args: readonly string[] = [], { port = "0" } = {}) {
  const { address, child, ended } = await startServe(["--no-web", ...args], {
    port,
    cwd: home,
    env: { ...process.env, ASKWIRE_HOME: home },
  });
  return { address, child, ended };
}

/** An address of no session, of any address of the server. */
export const lobbyOf = (address: string) => address.replace(/\/wire\/[^#]*/, "/wire");

/** A connected program that asks in a new session of a server, and stays. */
export async function programAt(address: string, name: string) {
  const session = await connectWebSocket(lobbyOf(address), { client: { name } });
  onTestFinished(() => session.close());
  return session;
}

/** A question with three choices, as a program asks it. */
export const asks = (text: string) => ({
  questions: [
    {
      question: text,
      options: [{ label: "Red" }, { label: "Green" }, { label: "Blue" }],
      multi_select: false,
    },
  ],
});

/** Opens so many sessions, each with so many questions that wait: `text` names a question. */
export async function fill(
  address: string,
  { sessions, each, text }: { sessions: number; each: number; text: (session: number, n: number) => string },
) {
  for (let session = 0; session < sessions; session += 1) {
    const program = await programAt(address, `program-${session}`);
    for (let n = 0; n < each; n += 1)
      await program.ask({ ...asks(text(session, n)), key: `${session}-${n}`, wait: false });
  }
}
