import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { type OptionsOf, sharedOptions } from "./shared-options.js";

/** `askwire serve`. */
export const serveCommand = (program: CommandUnknownOpts) =>
  sharedOptions(program.command("serve"))
    .summary("serve an agent to clients")
    .description("Serve an agent to clients. Without a source it is the shipped interview.")
    .option("--stdio", "to one client, over standard input and output")
    .option("--listen <host:port>", "to many, over WebSocket; port 0 takes a free one")
    .option(
      "--token-file <file>",
      "where the token is that clients must know, at least 22 characters of base64url; else a new one",
    )
    .option("--answer-address", "print a second address, for clients that may only answer what is asked")
    .option("--answer-token-file <file>", "where the token of that address is; else a new one")
    .option("--allow-host <name...>", "other names that clients may reach this server by")
    .option("--allow-origin <origin...>", "other origins from which browsers may connect")
    .option("--allow-remote", "allow an address that is not loopback")
    .option(
      "--page-server <origin...>",
      "other servers whose sessions the page may show; each needs --allow-origin with this page's origin",
    )
    .option("--no-web", "leave out the page for browsers, which --listen serves at /")
    .option("--open", "open the page in the browser of this machine")
    .addOption(
      new Option(
        "--qr [role]",
        'draw a code that pairs a phone; with "answer" it may only answer what is asked',
      ).choices(["answer"]),
    )
    .option("--public-url <url>", "the address that others reach this server by, behind a proxy or a tunnel")
    .option("--tls-cert <file>", "a certificate in PEM, to listen with TLS: https and wss")
    .option("--tls-key <file>", "the key of that certificate")
    .option("--notify <command>", "a line of the shell that is run for each request that opens or is settled")
    .addOption(
      new Option("--notify-text <how>", "how much of a request it is told; else header").choices([
        "none",
        "header",
        "full",
      ]),
    )
    .option("--raw-errors", "tell clients the text of an exception, which is else only in the log")
    .addHelpText(
      "after",
      `
--notify gives its command one JSON object on standard input: {"event": "asked" or "settled", "id", "kind", "title",
"body", "options", "url", "session", "deadline"}. The url has no token: a device opens it once it is paired.
docs/remote.md has more on browsers and phones.

Examples:
  askwire serve --stdio --script demo.json      for a client that starts this command
  askwire serve --listen 127.0.0.1:0 --model openai-compatible:NAME
                                                for terminals and browsers; prints the address with its token
  askwire serve --listen 127.0.0.1:0 --answer-address
                                                and an address for people who may answer, and nothing else
  askwire serve --listen 127.0.0.1:0 --open     with the page in your browser
  askwire serve --listen 127.0.0.1:0 --open --agent claude
                                                an agent of others there, for any number of people
  askwire serve --stdio -- gemini --acp         an agent of ACP, for clients of the wire
  askwire serve --listen 0.0.0.0:8443 --allow-remote --tls-cert cert.pem --tls-key key.pem --qr
                                                for a phone in the same network`,
    )
    .argument(
      "[command...]",
      "after --: a program that speaks the wire or ACP on its standard input and output",
    );

export type ServeOptions = OptionsOf<typeof serveCommand>;
