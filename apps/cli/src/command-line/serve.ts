import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { type OptionsOf, sharedOptions, storeOptions } from "./shared-options.js";

const collect = (value: string, previous: readonly string[] = []) => [...previous, value];

const help = `
The command of --notify gets one JSON object on standard input: {"event": "asked", "escalated" or "settled", "id",
"kind", "title", "body", "options", "url", "session", "to", "deadline", "by"}. The url contains no token, so only paired
devices can open it. That of --notify-role gets the same, for requests that are for its role (askwire ask --to).
Paired devices can turn push notifications on in the settings of the page. Push services learn when one is sent, and not
what it says. See docs/remote.md for browsers and phones, and docs/metrics.md for --metrics and --otlp.

--store needs the package @askwire/postgres next to this command. An agent of another maker keeps its own memory where
it always does: the database has what people saw, were asked and answered. Several servers of one database are nodes
with --node-address and --link-secret-file: a client may come to any of them. See docs/postgres.md.

Each tenant has sessions of its own. People are in the one of their token (askwire tokens add Ann --tenant acme), or of
--tenant-header; who has none, this machine and paired devices are in no tenant. See docs/deploy.md.

Examples:
  askwire serve --stdio --script demo.json      for a client that starts this command
  askwire serve --listen 127.0.0.1:0 --model openai-compatible:NAME
                                                for terminals and browsers; prints the address with its token
  askwire serve --listen 127.0.0.1:0 --answer-address
                                                also for people who may only answer
  askwire serve --listen 127.0.0.1:0 --open     and open the page in your browser
  askwire serve --listen 127.0.0.1:0 --open --agent claude
                                                the same with another vendor's agent
  askwire serve --stdio -- gemini --acp         an ACP agent, for clients of the wire
  askwire serve --listen 127.0.0.1:8080 --metrics 9464
                                                with metrics at http://127.0.0.1:9464/metrics
  askwire serve --listen 0.0.0.0:8443 --allow-remote --tls-cert cert.pem --tls-key key.pem --qr
                                                for a phone on the same network
  askwire serve --listen 127.0.0.1:0 --store postgres://askwire@db.example/askwire --store-password-file db.txt
                                                with sessions that outlive this machine
  askwire serve --listen 10.0.0.7:7001 --allow-remote --store postgres://askwire@db.example/askwire
      --store-password-file db.txt --node-address ws://10.0.0.7:7001 --link-secret-file link.txt
                                                as one node of several`;

/** `askwire serve`. */
export const serveCommand = (program: CommandUnknownOpts) =>
  storeOptions("keep sessions in", sharedOptions(program.command("serve")))
    .summary("serve an agent to clients")
    .description("Serve an agent to clients: by default, the built-in interview.")
    .option("--stdio", "serve one client, over standard input and output")
    .option("--listen <host:port>", "serve many clients, over WebSocket; port 0 picks a free port")
    .option(
      "--token-file <file>",
      "read the token for clients from this file: at least 22 characters of base64url (default: a new token)",
    )
    .option("--answer-address", "also print an address whose clients may only answer")
    .option(
      "--answer-token-file <file>",
      "read the token of that address from this file (default: a new token)",
    )
    .option(
      "--name <name>",
      "your name, for answers from this machine and from devices paired for everything (default: your user name)",
    )
    .option("--trust-header <header>", "take the person's name from this header of a proxy in front")
    .option(
      "--groups-header <header>",
      "take the person's roles from this header of that proxy: groups, separated by commas",
    )
    .option("--trust-from <address...>", "the addresses or ranges of that proxy; no other is believed")
    .addOption(
      new Option("--trust-role <role>", 'with "answer", those whom the proxy names may only answer').choices([
        "answer",
      ]),
    )
    .option(
      "--tenant <name...>",
      "also serve these tenants: companies or teams of which none sees what is of another",
    )
    .option("--tenant-header <header>", "take the person's tenant from this header of that proxy")
    .option("--allow-host <name...>", "also accept requests for these host names")
    .option("--allow-origin <origin...>", "also accept browsers from these origins")
    .option("--allow-remote", "allow an address that other machines can reach")
    .option(
      "--page-server <origin...>",
      "let the page show sessions of these servers; each needs --allow-origin with this page's origin",
    )
    .option("--no-web", "do not serve the page for browsers at /")
    .option("--open", "open the page in a browser on this machine")
    .addOption(
      new Option(
        "--qr [role]",
        'draw a QR code that pairs a phone; with "answer", the phone may only answer',
      ).choices(["answer"]),
    )
    .option("--qr-for <name>", "the person who has that phone, for its answers (default: --name, or nobody)")
    .option("--public-url <url>", "the address of this server behind a proxy or a tunnel")
    .option("--tls-cert <file>", "serve https and wss with this certificate, in PEM")
    .option("--tls-key <file>", "the private key of the certificate, in PEM")
    .option("--notify <command>", "run this shell command whenever a request opens or is settled")
    .option(
      "--notify-role <role=command>",
      "run this shell command for requests that are for this role, also once they escalate to it; repeat for more",
      collect,
    )
    .addOption(
      new Option(
        "--notify-text <how>",
        "how much of a request that command and push notifications get; header by default",
      ).choices(["none", "header", "full"]),
    )
    .option(
      "--push-host <host...>",
      "also send push notifications to these hosts, besides known push services",
    )
    .option(
      "--push-contact <address>",
      "whom push services may turn to: mailto: or https:, by default the page's address",
    )
    .option(
      "--metrics <port>",
      "serve metrics for Prometheus, /healthz and /readyz at this port of 127.0.0.1, or at HOST:PORT",
    )
    .option("--metrics-token-file <file>", "tell the metrics for the bearer token in this file alone")
    .option(
      "--otlp <url>",
      "send the metrics each minute to this collector of OpenTelemetry, such as http://127.0.0.1:4318",
    )
    .option(
      "--node-address <address>",
      "serve as one node of several with this database: where the others reach this one, such as ws://10.0.0.7:7001",
    )
    .option(
      "--link-secret-file <file>",
      "read the secret by which the nodes know each other from this file: at least 22 characters of base64url",
    )
    .option("--raw-errors", "send the text of exceptions to clients, not only to the log")
    .addHelpText("after", help)
    .argument(
      "[command...]",
      "after --: an agent program that speaks the wire or ACP on standard input and output",
    );

export type ServeOptions = OptionsOf<typeof serveCommand>;
