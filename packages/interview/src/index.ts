// The interview agent: an agent without a model, made of a questionnaire in YAML or JSON.
export { type InterviewAgentOptions, interviewAgent } from "./agent.js";
export { parseQuestionnaire } from "./questionnaire.js";
export { type Position, QuestionnaireError, type QuestionnairePath } from "./questionnaire-error.js";
export type { ProblemAt, Questionnaire, QuestionnaireSource } from "./questionnaire-format.js";
