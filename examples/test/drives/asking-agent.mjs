// An agent that asks what its prompt says, a JSON text with the fields of a question or an approval, and says how it ended.
import { ApprovalRequest, createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

const server = createServer({
  agent: {
    async run(turn) {
      const init = { ...JSON.parse(String(turn.input)), tool_call_id: turn.id };
      const request = "questions" in init ? new QuestionRequest(init) : new ApprovalRequest(init);
      wireSend(request);
      const ended = request instanceof QuestionRequest ? request.waitForAnswer() : request.wait();
      const told = await ended.catch(() => null);
      const { status, reason, note } = request.outcome ?? {};
      turn.say(JSON.stringify({ told, status, reason, note }));
    },
  },
});
await serveStdio(server);
