// Forms to draw: what is asked, and how far a person is with it.
import {
  type FormAction,
  type FormOptions,
  type FormState,
  questionForm,
  reduceForm,
} from "@askwire/client/form";
import type { CoreOption, CoreQuestion } from "@askwire/protocol";
import type { PanelContent } from "../../../src/panel/content.js";

export const option = (id: string, description = "", more: Partial<CoreOption> = {}): CoreOption => ({
  id,
  label: id,
  description,
  ...more,
});

export const question = (text: string, more: Partial<CoreQuestion> = {}): CoreQuestion => ({
  id: text,
  question: text,
  header: "",
  options: [],
  multi_select: false,
  body: "",
  other_label: "",
  other_description: "",
  own_text: true,
  ...more,
});

export const database = question("Which database should the service use?", {
  header: "Database",
  options: [
    option("PostgreSQL", "Relational, strong consistency, needs a server", { recommended: true }),
    option("SQLite", "One file, no server, one writer at a time"),
    option("None yet", "Keep everything in memory until the shape is clear"),
  ],
  default: ["SQLite"],
});

export const features = question("Which features go into the first release?", {
  header: "Features",
  multi_select: true,
  options: [option("Search"), option("Export"), option("Single sign-on"), option("Audit log")],
});

export const open = question("What should the project be called?", {
  header: "Name",
  placeholder: "Two words at most",
});

const css = (ground: string, ink: string) =>
  `body {\n  background: ${ground};\n  color: ${ink};\n}\n\na {\n  color: rebeccapurple;\n}`;

export const themes = question("Which theme?", {
  header: "Theme",
  options: [
    option("Day", "Bright, for offices", { preview: css("white", "black"), recommended: true }),
    option("Night", "Dark, for cellars", { preview: css("black", "silver") }),
    option("As the system has it", ""),
  ],
});

export const chinese = question("这个服务应该使用哪种数据库？", {
  header: "数据库",
  options: [
    option("PostgreSQL", "关系型，强一致性，需要单独的服务器进程", { recommended: true }),
    option("SQLite", "单文件，无需服务器，同一时间只能有一个写入者"),
    option("暂时不用", "在数据结构确定之前，全部保存在内存里"),
  ],
});

/** A form after some actions. */
export const form = (
  questions: readonly CoreQuestion[],
  actions: readonly FormAction[] = [],
  options?: FormOptions,
): FormState => actions.reduce(reduceForm, questionForm(questions, options));

export const typed = (text: string): FormAction => ({ type: "edit", edit: { type: "insert", text } });

export const content = (state: FormState, more: Partial<PanelContent> = {}): PanelContent => ({
  form: state,
  title: "",
  subject: [],
  waiting: 0,
  ready: true,
  top: 0,
  ...more,
});

export const diff = [
  "Edit src/server/start.ts",
  "@@ -10,7 +10,8 @@",
  " export async function start(port: number) {",
  "-  const server = createServer(handle);",
  "+  const server = createServer({ keepAlive: true }, handle);",
  '+  server.on("clientError", refuse);',
  "   await listen(server, port);",
  "   return server;",
  " }",
];

export const approval = (actions: readonly FormAction[] = []) =>
  form(
    [
      question("Approve this?", {
        options: [option("Approve"), option("Approve for this session"), option("Reject")],
        other_label: "Reject, and say why",
      }),
    ],
    actions,
    { enterOnly: true, shortcuts: { y: 0, a: 1, n: 2 } },
  );

/** A question of characters that are hard to fit: wide, joined, marked, with tabs, and far too long. */
export const strange = question(
  "Wie groß? \u0e01\u0e33\u0e33 👩‍👩‍👧‍👦 e\u0301e\u0301 \u1112\u1161\u11ab\n\tsecond line",
  {
    header: "👍🏽 Größe",
    body: `${"x".repeat(300)}\n\n漢字、かな。「カナ」と한글 🇩🇪🇫🇷 1️⃣\n${"\t".repeat(30)}end`,
    options: [
      option("👩‍👩‍👧‍👦 family", "z\u0300\u0301\u0302\u0303 marks", { preview: "│ 漢字\te\u0301 │\n👍🏽" }),
      option("한글 한글 한글", "नमस्ते दुनिया", { recommended: true }),
      option("a".repeat(200), "b ".repeat(200)),
    ],
  },
);
