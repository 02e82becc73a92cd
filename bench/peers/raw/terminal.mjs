/** @import { TerminalModule } from "../../contract.js" */

// A handwritten question of this kind: each key draws it again with the other option marked.
const program = `
let at = 0;
const draw = (again) => process.stdout.write((again ? "\\x1b[3A" : "") + "\\x1b[JWhich one?\\n" + ["Red", "Green"].map((label, index) => (index === at ? "> " : "  ") + label + "\\n").join(""));
process.stdin.setRawMode(true);
process.stdin.on("data", () => { at = 1 - at; draw(true); });
draw(false);
`;

/** @type {TerminalModule["terminalLine"]} */
export const terminalLine = () => ({ args: ["-e", program], marks: ["> Red", "> Green"] });
