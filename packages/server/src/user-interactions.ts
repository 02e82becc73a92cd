// Questions and approvals shown by the program that embeds the server: `@askwire/server/user-interactions`.
export type { UserInteractionOptions, UserInteractions } from "./in-process/interaction-channel.js";
export {
  type InteractionOption,
  type InteractionQuestion,
  OTHER_OPTION,
  type UserInteractionInit,
  type UserInteractionPayload,
  type UserInteractionRequest,
  UserInteractionResponse,
  type UserInteractionSource,
  userInteractionSources,
} from "./in-process/interaction-shapes.js";
export { userInteractions } from "./in-process/user-interactions.js";
