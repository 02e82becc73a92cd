// What keeps file tools inside a folder: `@askwire/server/work-folder`.
export { openInside, WorkFolderError } from "./inside.js";
export { applyWrite, type PlannedWrite, planWrite } from "./write.js";
