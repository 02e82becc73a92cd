// The interview agent: `@askwire/server/interview`. Apart from the rest, since it brings YAML and Liquid.
export { type InterviewAgentOptions, interviewAgent } from "./agent.js";
export { parseQuestionnaire } from "./questionnaire.js";
export { QuestionnaireError } from "./questionnaire-error.js";
export type { Questionnaire } from "./questionnaire-format.js";
