import { ApprovalRequest, createServer, wireSend } from "@askwire/server";
import { expect, test } from "vitest";
import { ways } from "./ways.js";

test.each(ways)(
  "over %s a settlement is heard once, in its place before what follows from it, by whoever answers (P-XAN-2, P-XCL-4)",
  async (_name, join) => {
    const count = 20;
    const server = createServer({
      agent: {
        async run() {
          for (let nth = 0; nth < count; nth += 1) {
            const said = { tool_call_id: `tc-${nth}`, sender: "Shell", action: "run", description: "ls" };
            const request = new ApprovalRequest(said);
            wireSend(request);
            await request.wait();
          }
        },
      },
    });
    const heard: string[] = [];
    const problems: string[] = [];
    const session = await join(
      server,
      {
        profile: "extended",
        onProblem: (problem) => void problems.push(problem),
        handlers: { approval: () => "approve", event: ({ type }) => void heard.push(type) },
      },
      {},
    );
    await session.prompt("go").result;
    const each = ["InteractionSettled", "ApprovalResponse"];
    expect(heard).toEqual(["TurnBegin", ...Array.from({ length: count }, () => each).flat(), "TurnEnd"]);
    expect(problems).toEqual([]);
    await session.close();
  },
);
