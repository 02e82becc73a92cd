// Models of the AI SDK: `@askwire/agent/ai`. Apart from the rest, since only who uses them needs their types.
export { type AiModelOptions, aiModel } from "./models/ai-sdk.js";
