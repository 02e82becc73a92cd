// Names that only our own packages share with the agent. Nothing is promised about them.
export { pathProblem, readInside, resolveInside } from "./work-folder/inside.js";
export { planWrites, type RenderedFile } from "./work-folder/write.js";
