// The AI SDK: `@askwire/agent/ai`. Apart from the rest, since only who uses it needs its types.
export { type AiModelOptions, aiModel } from "./models/ai-sdk.js";
export { aiSdkTools } from "./models/ai-sdk-tools.js";
