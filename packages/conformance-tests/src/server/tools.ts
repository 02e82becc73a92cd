/** A tool that the suite's client brings. */
export const look = {
  name: "look",
  description: "Looks somewhere.",
  parameters: { type: "object", properties: { where: { type: "string" } }, required: ["where"] },
};

/** What it gives. */
export const seen = { is_error: false, output: "a tree", message: "Looked.", display: [] };
