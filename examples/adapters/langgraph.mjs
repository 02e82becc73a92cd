// A graph of LangGraph that asks, and deploys what a person approved. Usage: node langgraph.mjs ADDRESS
// #region langgraph
import { driveLangGraph } from "@askwire/adapters/langgraph";
import { connectWebSocket } from "@askwire/client/websocket";
import { Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import * as z from "zod";

const [address = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "release graph" } });

/** @typedef {import("@askwire/adapters/langgraph").DecisionReply} DecisionReply */
/** @typedef {import("@askwire/adapters/langgraph").QuestionsReply | import("@askwire/adapters/langgraph").NoReply} Answers */
const State = z.object({ where: z.string().optional(), done: z.string().optional() });
const where = "Where should it go?";
const graph = new StateGraph(State)
  .addNode("choose", () => {
    const options = [{ label: "staging" }, { label: "production" }];
    /** @type {Answers} */
    const reply = interrupt({ questions: [{ question: where, options }] });
    return { where: (reply.answered && reply.answers[where]) || "staging" };
  })
  .addNode("deploy", (state) => {
    const approval = { action: "deploy", description: `Deploy build 42 to ${state.where}` };
    /** @type {DecisionReply} */
    const reply = interrupt({ approval });
    return { done: reply.answered ? `Build 42 is on ${state.where}.` : reply.message };
  })
  .addEdge(START, "choose")
  .addEdge("choose", "deploy")
  .addEdge("deploy", END)
  .compile({ checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: "release-42" } };
const { done } = await driveLangGraph(session, { graph, Command, config, input: {} });
console.log(done);
await session.close();
// #endregion langgraph
