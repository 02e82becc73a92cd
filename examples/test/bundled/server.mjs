// A scripted model asks over standard streams, an interview over WebSocket. The log tells the interview's address.

import { modelAgent, scriptedModel } from "@askwire/agent";
import { aiModel } from "@askwire/agent/ai";
import { planWrite } from "@askwire/agent/work-folder";
import { adp, klaude } from "@askwire/dialects";
import { interviewAgent, parseQuestionnaire } from "@askwire/interview";
import { createServer, serveStdio, standardErrorLog } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { checkTrajectories } from "@askwire/trajectory";

const yaml = `
askwire: interview/1
title: Name it
questions:
  - id: name
    ask: "{{ 'name' | capitalize }}?"
    options: [{ label: One }, { label: Two }]
`;
const questionnaire = parseQuestionnaire(yaml, "name.yaml");
const interview = createServer({ agent: () => interviewAgent({ questionnaire, workDir: "." }) });

const questions = [{ question: "Which?", header: "Pick", options: [{ label: "A" }, { label: "B" }] }];
const call = { id: "call-1", name: "AskUserQuestion", arguments: JSON.stringify({ questions }) };
const scripts = [`tool_call: ${JSON.stringify(call)}`, "text: Done."];
const asking = createServer({
  agent: () => modelAgent({ model: scriptedModel(scripts) }),
  dialects: [klaude()],
});

const also = [aiModel, adp, checkTrajectories, planWrite].map((imported) => typeof imported);
void listenWebSocket(interview, { host: "127.0.0.1", port: 0 }).then(async (gateway) => {
  const address = gateway.address(interview.createSession());
  standardErrorLog("info").info({ address, also }, "listening");
  await serveStdio(asking);
  await gateway.close();
});
