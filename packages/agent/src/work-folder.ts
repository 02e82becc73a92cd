// Keeps file tools inside a folder: `@askwire/agent/work-folder`.
export { openInside, WorkFolderError } from "./work-folder/inside.js";
export { applyWrite, type PlannedWrite, planWrite } from "./work-folder/write.js";
