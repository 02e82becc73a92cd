import type { SlashCommand } from "@askwire/server";
import type { AcpConnection } from "./connection.js";
import { wireErrorOf } from "./conversation.js";

/** The command by which a person logs in to the agent, in one of its own ways. */
export function loginCommand(connect: () => Promise<AcpConnection>): SlashCommand {
  return {
    name: "login",
    description: "Log in to the agent, in one of its own ways",
    async run(turn, args) {
      const connection = await connect();
      const { logins, version } = connection.abilities;
      if (logins.length === 0) return turn.say("This agent has no way to log in here: use its own command.");
      const named = logins.find(({ id, name }) => args === id || args === name)?.id;
      const options = logins.map(({ id, name }, index) => ({ id, label: `${index + 1}. ${name}` }));
      const question = {
        question: "Log in by which way?",
        header: "Login",
        options,
        own_text: false,
      } as const;
      const methodId = named ?? (await turn.ask(question)).answer;
      if (methodId === undefined) return turn.say("Nobody chose a way to log in.");
      try {
        await connection.request(version === 2 ? "auth/login" : "authenticate", { methodId });
      } catch (error) {
        throw wireErrorOf(error, connection);
      }
      turn.say("The agent says that the login has succeeded.");
    },
  };
}
