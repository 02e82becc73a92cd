// An agent that asks for two approvals at once, beside an event with a new member and a request that no client knows. Then
// it says what it was answered. Its argument is the framing: headers or lines.
const isFramed = process.argv[2] === "headers";
/** @type {Record<string, unknown>} */
const answers = {};
let rest = "";
/** @type {unknown} */
let turn;

/** @param {object} message */
function send(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(isFramed ? `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}` : `${text}\n`);
}

/** @param {string} text */
const say = (text) =>
  send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text }, since: 1 } });

/** @param {string} id @param {string} command */
function ask(id, command) {
  const payload = { id, tool_call_id: id, sender: "Shell", action: "run", description: `May I ${id}?` };
  const display = [{ type: "shell", language: "bash", command }];
  const params = { type: "ApprovalRequest", payload: { ...payload, display } };
  return { id, method: "request", params };
}

/** @param {any} message */
function receive({ id, method, result, error }) {
  if (method === "initialize") send({ id, result: {} });
  else if (method === "prompt") {
    turn = id;
    say("Answers: ");
    send({ id: "other", method: "request", params: { type: "NewRequest", payload: {}, since: 1 } });
    send(ask("first", "rm first.txt"));
    send(ask("second", "rm second.txt"));
  } else if (id in { other: 1, first: 1, second: 1 }) {
    answers[id] = error?.code ?? result.response;
    if (Object.keys(answers).length < 3) return;
    say(["other", "first", "second"].map((name) => `${name} ${answers[name]}`).join(", "));
    send({ id: turn, result: { status: "finished" } });
  }
}

/** A message of what was read, which is taken from it. */
function next() {
  const head = isFramed ? /^Content-Length: (\d+)[\s\S]*?\r\n\r\n/i.exec(rest) : null;
  const start = head?.[0].length ?? 0;
  const end = isFramed ? start + Number(head?.[1] ?? Number.NaN) : rest.indexOf("\n") + 1;
  if (!(end > 0) || rest.length < end) return undefined;
  const text = rest.slice(start, end);
  rest = rest.slice(end);
  return text;
}

process.stdin.setEncoding("utf8").on("data", (chunk) => {
  rest += chunk;
  for (let text = next(); text !== undefined; text = next()) receive(JSON.parse(text));
});
