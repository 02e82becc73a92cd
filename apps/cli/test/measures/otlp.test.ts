import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { connectWebSocket } from "@askwire/client/websocket";
import { serverMetrics } from "@askwire/server/metrics";
import { expect, onTestFinished, test } from "vitest";
import { drivenClock } from "../../../../packages/server/test/driven-clock.js";
import { otlpPlace } from "../../src/measures/otlp-place.js";
import { OtlpSender } from "../../src/measures/otlp-sender.js";
import { askwire, colourScript, folderWith, startAskwire } from "../askwire.js";

interface Sent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a collector, as it came
  readonly body: any;
}

/** A collector that notes all that it is sent, and answers with a status. */
async function collector(status: () => number = () => 200) {
  const sent: Sent[] = [];
  const http = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    sent.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) });
    response.writeHead(status()).end("{}");
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => void http.close());
  return { sent, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

const metricOf = ({ body }: Sent, name: string) =>
  body.resourceMetrics[0].scopeMetrics[0].metrics.find((metric: { name: string }) => metric.name === name);

const numbersOf = (sent: Sent | undefined, name: string, kind: string) => {
  const points = sent && metricOf(sent, name)?.[kind].dataPoints;
  return points?.find(({ attributes }: { attributes: { value: { stringValue: string } }[] }) =>
    attributes.some(({ value }) => value.stringValue === "question"),
  );
};

test("a collector is sent the metrics at each interval and at the end, with its headers and without a word of a question", async () => {
  const { sent, url } = await collector();
  const cwd = await folderWith({ "s.json": colourScript });
  const { child, ended } = startAskwire(
    ["serve", "--listen", "127.0.0.1:0", "--script", "s.json", "--otlp", `${url}/base/`],
    {
      cwd,
      env: {
        ...process.env,
        OTEL_METRIC_EXPORT_INTERVAL: "100",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret,x-tenant=a",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
        OTEL_SERVICE_NAME: "painters",
      },
    },
  );
  const [address] = await once(child.stdout, "data");
  const client = await connectWebSocket(/^ws:\S+$/m.exec(String(address))?.[0] ?? "", {
    handlers: { question: ({ questions }) => ({ answers: { [questions[0]?.question ?? ""]: "Red" } }) },
  });
  await client.prompt("go").result;
  await client.close();
  await expect.poll(() => numbersOf(sent.at(-1), "askwire_requests_opened_total", "sum")?.asDouble).toBe(1);
  const before = sent.length;
  child.kill("SIGTERM");
  await ended;
  expect(sent.length).toBeGreaterThan(before);
  const last = sent.at(-1) as Sent;
  expect(last.path).toBe("/base/v1/metrics");
  expect(last.headers).toMatchObject({
    authorization: "Bearer secret",
    "x-tenant": "a",
    "content-type": "application/json",
  });
  const attributes = Object.fromEntries(
    last.body.resourceMetrics[0].resource.attributes.map(
      ({ key, value }: { key: string; value: { stringValue: string } }) => [key, value.stringValue],
    ),
  );
  expect(attributes).toEqual({
    "service.name": "painters",
    "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "deployment.environment": "test",
  });
  expect(numbersOf(last, "askwire_requests_open", "gauge").asDouble).toBe(0);
  const wait = numbersOf(last, "askwire_request_wait_seconds", "histogram");
  expect(wait).toMatchObject({ count: "1", bucketCounts: expect.arrayContaining(["1"]) });
  expect(wait.bucketCounts).toHaveLength(wait.explicitBounds.length + 1);
  expect(
    new Set(sent.map(({ body }) => body.resourceMetrics[0].resource.attributes[0].value.stringValue)).size,
  ).toBe(1);
  expect(sent.map(({ text }) => text).join()).not.toMatch(/colour|"Red"/i);
});

test("a collector that refuses is told to the person once, and once more when it takes the metrics", async () => {
  const state = { status: 503 };
  const { sent, url } = await collector(() => state.status);
  const { child, ended } = startAskwire(["serve", "--listen", "127.0.0.1:0", "--otlp", url], {
    env: { ...process.env, OTEL_METRIC_EXPORT_INTERVAL: "50" },
  });
  await expect.poll(() => sent.length).toBeGreaterThan(3);
  state.status = 200;
  const since = sent.length;
  await expect.poll(() => sent.length).toBeGreaterThan(since + 2);
  child.kill("SIGTERM");
  const { stderr } = await ended;
  const said = stderr.split("\n").filter((line) => line.includes("--otlp"));
  expect(said).toEqual([
    `askwire: --otlp ${url}/v1/metrics: it answered with 503; tried again at each interval`,
    `askwire: --otlp ${url}/v1/metrics: it takes the metrics again`,
  ]);
});

test("a collector that nobody can reach ends nothing and holds nobody up", async () => {
  const { child, ended } = startAskwire(
    ["serve", "--listen", "127.0.0.1:0", "--otlp", "http://127.0.0.1:9"],
    {
      env: { ...process.env, OTEL_METRIC_EXPORT_INTERVAL: "50" },
    },
  );
  await once(child.stderr, "data");
  child.kill("SIGTERM");
  const { stderr, status } = await ended;
  expect(stderr).toContain("--otlp http://127.0.0.1:9/v1/metrics: ");
  expect(status).toBe(0);
});

test.each([
  ["--otlp", "collector:4318", {}, /--otlp: expected the address of a collector/],
  ["--otlp", "http://me:secret@127.0.0.1:4318", {}, /^(?!.*secret).*put it into OTEL_EXPORTER_OTLP_HEADERS/s],
  [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "http://127.0.0.1:4318",
    { OTEL_EXPORTER_OTLP_HEADERS: "secret" },
    /^(?!.*secret).*OTEL_EXPORTER_OTLP_HEADERS: expected KEY=VALUE/s,
  ],
  [
    "OTEL_METRIC_EXPORT_INTERVAL",
    "http://127.0.0.1:4318",
    { OTEL_METRIC_EXPORT_INTERVAL: "soon" },
    /OTEL_METRIC_EXPORT_INTERVAL: expected 1 to 86400000 milliseconds/,
  ],
])(
  "a value of %s that does not fit is refused before anything is served (%s)",
  async (_of, url, env, words) => {
    const { stderr, status } = await askwire(["serve", "--listen", "127.0.0.1:0", "--otlp", url], { env });
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
  },
);

test("a collector that does not answer has one request at a time, and the end waits for none but the last", async () => {
  let arrived = 0;
  const http = createServer(() => {
    arrived += 1;
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => http.closeAllConnections());
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const clock = drivenClock();
  const told: string[] = [];
  const sender = new OtlpSender(otlpPlace(url, {}), {
    ...{ metrics: serverMetrics(), clock },
    tell: (line) => told.push(line),
  });
  for (let minute = 0; minute < 5; minute += 1) clock.advance(60_000);
  await expect.poll(() => arrived).toBe(1);
  await sender.close();
  expect(arrived).toBe(2);
  expect(told).toEqual([`--otlp ${url}/v1/metrics: it did not answer in time; tried again at each interval`]);
});
