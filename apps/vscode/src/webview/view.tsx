// The view: the sessions, the conversation, the cards and the place to write.
import { visibleLine } from "@askwire/client/text";
import { defaultLanguage, type ViewWords, viewWords } from "@askwire/client/words";
import {
  cardWords,
  type Entry,
  ErrorBoundary,
  Failures,
  isWaiting,
  PromptBox,
  saidLast,
  Transcript,
  talkWords,
  useStore,
} from "@askwire/react";
import type { Highlight } from "@askwire/react/code";
import { type ClipboardEvent, type ReactNode, useCallback, useMemo } from "react";
import { clientName, type ViewParts } from "../view-state.js";
import { AgentFacts } from "./agent-facts.js";
import { ViewDock } from "./dock.js";
import type { ViewDrafts } from "./drafts.js";
import type { Host } from "./host.js";
import { AgentLine, HeldLine, type LineCommand, PutAway } from "./line.js";
import { LostWords } from "./lost-words.js";
import { useMarkdownWithFiles } from "./markdown-with-files.js";

interface ViewProps {
  readonly host: Host;
  readonly drafts: ViewDrafts;
  /** Finds the colours of code. */
  readonly highlight: Highlight;
}

export function ChatView(props: ViewProps): ReactNode {
  const { language = defaultLanguage } = useStore(props.host.state);
  return (
    <ErrorBoundary part={viewWords[language].parts.view} words={talkWords[language].failure}>
      <Whole {...props} />
    </ErrorBoundary>
  );
}

/** Takes the pictures of a paste for the prompt, but for those that a card has taken, or could not take. */
function paste(event: ClipboardEvent, host: Host): void {
  if (event.defaultPrevented || (event.target as Element).closest(".askwire-card") !== null) return;
  for (const file of event.clipboardData.files) {
    if (!file.type.startsWith("image/")) continue;
    event.preventDefault();
    const reader = new FileReader();
    reader.onload = () => host.post({ type: "paste", url: String(reader.result) });
    reader.readAsDataURL(file);
  }
}

function Whole({ host, drafts, highlight }: ViewProps): ReactNode {
  const { entries, language = defaultLanguage, chat = "", line, held = "", ...state } = useStore(host.state);
  const { chats = [], cards = [], commands = [], abilities = {}, attachments = [], talk, said = [] } = state;
  const words = viewWords[language];
  // A function that stays the same keeps parts that did not change from being rendered again.
  const tryAgain = useCallback(
    (prompt: string) => void host.call({ type: "prompt", chat, text: prompt }),
    [host, chat],
  );
  const openFile = useCallback((path: string) => host.post({ type: "openFile", chat, path }), [host, chat]);
  const renderMarkdown = useMarkdownWithFiles(openFile);
  const openIds = JSON.stringify(cards.filter(isWaiting).map(({ request }) => request.id));
  const openCards: readonly string[] = useMemo(() => JSON.parse(openIds), [openIds]);
  if (line === undefined) return null;
  const run = (name: LineCommand) => host.post({ type: "command", name });
  const { failure } = talkWords[language];

  return (
    <main className="view" onPaste={(event) => paste(event, host)}>
      <Failures words={failure} />
      {state.isTooLarge === true && (
        <div className="notice">
          <p role="alert">{words.tooLarge}</p>
          <PutAway words={words} onPress={host.forgetTooLarge} />
        </div>
      )}
      {chats.length > 1 && (
        <ErrorBoundary part={words.parts.sessions} words={failure}>
          <Chats {...{ chats, chat, host, words }} />
        </ErrorBoundary>
      )}
      <ErrorBoundary part={words.parts.state} words={failure}>
        {held === "" ? (
          <AgentLine line={line} words={words} run={run} />
        ) : (
          <HeldLine held={held} words={words} run={run} onPutAway={() => host.post({ type: "putAway" })} />
        )}
      </ErrorBoundary>
      {chat !== "" && (
        <>
          <div className="talk">
            <Transcript
              key={chat}
              conversation={{ isRunning: false, isComing: false, isCut: false, ...talk, entries }}
              outbox={said}
              renderMarkdown={renderMarkdown}
              highlight={highlight}
              onOpenFile={openFile}
              onTryAgain={tryAgain}
              openCards={openCards}
              {...(talk?.isAlone === true && { onlyClient: clientName })}
              words={talkWords[language]}
            />
            {hasFailed(entries) && (
              <button type="button" onClick={() => host.post({ type: "command", name: "showLog" })}>
                {words.showLog}
              </button>
            )}
          </div>
          <LostWords key={`lost ${chat}`} {...{ chat, cards, entries, drafts, host, words }} />
          <BeginInterview state={{ ...state, line }} {...{ chat, entries, host, words }} />
          <ErrorBoundary part={words.parts.requests} words={failure}>
            <ViewDock
              {...{ chat, cards, abilities, drafts, highlight, renderMarkdown }}
              said={saidLast(said)}
              words={{ view: words, cards: cardWords[language] }}
              host={host}
            />
          </ErrorBoundary>
          {attachments.length > 0 && (
            <ErrorBoundary part={words.parts.attached} words={failure}>
              <Attached {...{ attachments, host, words }} />
            </ErrorBoundary>
          )}
          <PromptBox
            key={`prompt ${chat}`}
            onSend={(text) => host.call({ type: "prompt", chat, text })}
            isRunning={talk?.isRunning === true}
            onCancel={() => host.call({ type: "cancel", chat })}
            planMode={talk?.planMode === true}
            onPlanMode={(enabled) => host.call({ type: "planMode", chat, enabled })}
            {...(talk?.doNotAsk !== undefined && {
              doNotAsk: talk.doNotAsk,
              onDoNotAsk: (enabled) => host.call({ type: "doNotAsk", chat, enabled }),
            })}
            commands={commands}
            mentions={{ find: host.findFiles, label: words.files, counted: words.filesFound }}
            isOff={line.is !== "connected" && line.is !== "lost"}
            draft={drafts.prompt(chat)}
            onDraft={(text) => drafts.keepPrompt(chat, text)}
            words={talkWords[language]}
          />
        </>
      )}
      <Foot {...{ state, chat, host, words }} />
    </main>
  );
}

/** The word that begins the interview. Any other does, too. */
const FIRST_WORD = "go";

/** True where nothing was said in the session, and nothing is on its way. */
function isUntouched(
  entries: readonly Entry[],
  { talk, cards = [], said = [] }: Partial<ViewParts>,
): boolean {
  const isQuiet = talk !== undefined && !talk.isRunning && !talk.isComing;
  return isQuiet && entries.length + cards.length + said.length === 0;
}

/** True where the last turn has failed: its row has the reason, and the log has the rest. */
function hasFailed(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  return last?.kind === "note" && last.event.type === "TurnEnd" && last.event.payload.status === "failed";
}

/** The parts of the view that a part of it needs. */
interface PartProps {
  readonly chat: string;
  readonly host: Host;
  readonly words: ViewWords;
  readonly state: Partial<ViewParts>;
}

/** The first word of the interview as a button, until something was said. */
function BeginInterview({
  chat,
  host,
  words,
  state,
  entries,
}: PartProps & { readonly entries: readonly Entry[] }): ReactNode {
  const isInterview = state.agent?.is === "interview" && state.line?.is === "connected";
  if (!isInterview || !isUntouched(entries, state)) return null;
  const begin = () => void host.call({ type: "prompt", chat, text: FIRST_WORD });
  return (
    <button type="button" className="askwire-main begin" onClick={begin}>
      {words.begin}
    </button>
  );
}

/** The last line of the view: the way to attach files, and the agent. */
const Foot = ({ chat, host, words, state: { agent, talk } }: PartProps): ReactNode => (
  <div className="foot">
    {chat !== "" && (
      <button type="button" className="attach" onClick={() => host.post({ type: "attach" })}>
        {words.attach}
      </button>
    )}
    {agent !== undefined && (
      <AgentFacts
        {...{ agent, talk, words }}
        onChoose={() => host.post({ type: "command", name: "chooseAgent" })}
      />
    )}
  </div>
);

/** The sessions of the window, to go from one to another. */
const Chats = ({
  chats,
  chat,
  host,
  words,
}: {
  readonly chats: ViewParts["chats"];
  readonly chat: string;
  readonly host: Host;
  readonly words: ViewWords;
}): ReactNode => (
  <nav aria-label={words.sessions} className="sessions">
    {chats.map(({ id, title, open }) => (
      <button
        key={id}
        type="button"
        aria-current={id === chat ? "true" : undefined}
        onClick={() => host.post({ type: "showChat", chat: id })}
      >
        {visibleLine(title) || words.untitled}
        {open > 0 && <small> {words.waits(open)}</small>}
      </button>
    ))}
  </nav>
);

/** The files that go with the next prompt, each with the way to take it away. */
const Attached = ({
  attachments,
  host,
  words,
}: {
  readonly attachments: ViewParts["attachments"];
  readonly host: Host;
  readonly words: ViewWords;
}): ReactNode => (
  <ul className="attached" aria-label={words.attached}>
    {attachments.map(({ id, name }) => (
      <li key={id}>
        {visibleLine(name)}{" "}
        <button
          type="button"
          aria-label={words.remove(visibleLine(name))}
          onClick={() => host.post({ type: "detach", attachment: id })}
        >
          ×
        </button>
      </li>
    ))}
  </ul>
);
