// A server whose questions are spans, sent by OTLP to http://localhost:4318, or to OTEL_EXPORTER_OTLP_ENDPOINT.
// #region traced-server
import { ask, createServer, serveStdio } from "@askwire/server";
import { requestSpans } from "@askwire/server/traces";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
const tracer = provider.getTracer("database-agent");

const server = createServer({
  agent: {
    run: (turn) =>
      tracer.startActiveSpan("agent turn", async (span) => {
        const { answer } = await ask("Which database?", ["SQLite", "PostgreSQL"]);
        turn.say(answer === undefined ? "No database yet." : `I set up ${answer}.`);
        span.end();
      }),
  },
  observe: [requestSpans(tracer)],
});

await serveStdio(server);
await provider.shutdown();
// #endregion traced-server
