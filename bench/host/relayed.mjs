// The agent behind the relay of `measures/relay.mjs`: a prompt says how many questions it asks, and how many texts it says.
import { createServer, QuestionRequest, serveStdio } from "@askwire/server";
import { questions as asked } from "../payload.mjs";

const [first] = asked;
if (first === undefined) throw new Error("there is no question");
const { question, header, options } = first;
const text = "x".repeat(25);

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    const { trips, texts } = JSON.parse(String(turn.input));
    for (let n = 0; n < trips; n += 1) {
      const questions = [{ question, header, options: [...options] }];
      const request = new QuestionRequest({ tool_call_id: "c1", questions });
      turn.wire.send(request);
      if ((await request.wait())[question] !== options[0]?.label) throw new Error("another answer came");
    }
    for (let n = 0; n < texts; n += 1) {
      turn.say(text);
      if (n % 64 === 63) await turn.drained();
    }
  },
};

await serveStdio(createServer({ agent }));
