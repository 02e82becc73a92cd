// The interview agent: `@askwire/server/interview`. Apart from the rest, since it brings YAML and Liquid.
export { type InterviewAgentOptions, interviewAgent } from "./agent.js";
export { parseQuestionnaire } from "./questionnaire.js";
export { type Place, type Position, QuestionnaireError } from "./questionnaire-error.js";
export type { ProblemAt, Questionnaire, QuestionnaireSource } from "./questionnaire-format.js";
