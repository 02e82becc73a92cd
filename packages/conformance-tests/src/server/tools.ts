/** A tool that the suite's client brings. */
export const look = {
  name: "look",
  description: "Looks somewhere.",
  parameters: { type: "object", properties: { where: { type: "string" } }, required: ["where"] },
};

/** The result of the tool. */
export const seen = { is_error: false, output: "a tree", message: "Looked.", display: [] };
