// The view: the sessions, the conversation, the cards and the place to write.
import { visibleLine, visibleText } from "@askwire/client/text";
import { cardWords, PromptBox, Transcript, talkWords, useStore } from "@askwire/react";
import { Markdown } from "@askwire/react/markdown";
import { type ClipboardEvent, type ReactNode, useCallback } from "react";
import { Dock } from "./dock.js";
import type { Drafts } from "./drafts.js";
import type { Host } from "./host.js";
import { AgentLine } from "./line.js";
import { viewWords } from "./words.js";

export function View({ host, drafts }: { readonly host: Host; readonly drafts: Drafts }): ReactNode {
  const { entries, language = "en", chat = "", line, notice = "", ...state } = useStore(host.state);
  const { chats = [], cards = [], commands = [], abilities = {}, attachments = [], talk } = state;
  const words = viewWords[language];
  // A function that stays the same keeps parts that did not change from being rendered again.
  const renderMarkdown = useCallback((text: string) => <Markdown text={text} />, []);
  const openFile = useCallback((path: string) => host.post({ type: "openFile", chat, path }), [host, chat]);
  if (line === undefined) return null;

  function paste(event: ClipboardEvent): void {
    for (const file of event.clipboardData.files) {
      if (!file.type.startsWith("image/")) continue;
      event.preventDefault();
      const reader = new FileReader();
      reader.onload = () => host.post({ type: "paste", url: String(reader.result) });
      reader.readAsDataURL(file);
    }
  }

  return (
    <main className="view" onPaste={paste}>
      {notice !== "" && <p className="notice">{visibleText(notice)}</p>}
      {state.isTooLarge === true && (
        <p className="notice" role="alert">
          {words.tooLarge}
        </p>
      )}
      {chats.length > 1 && (
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
      )}
      <AgentLine line={line} words={words} run={(name) => host.post({ type: "command", name })} />
      {chat !== "" && (
        <>
          <div className="talk">
            <Transcript
              key={chat}
              conversation={{ isRunning: false, isComing: false, isCut: false, ...talk, entries }}
              renderMarkdown={renderMarkdown}
              onOpenFile={openFile}
              words={talkWords[language]}
            />
          </div>
          <Dock
            {...{ chat, cards, abilities, drafts }}
            words={{ view: words, cards: cardWords[language] }}
            post={host.post}
          />
          {attachments.length > 0 && (
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
          )}
          <PromptBox
            key={`prompt ${chat}`}
            onSend={(text) => drafts.sending(chat, host.call({ type: "prompt", chat, text }), text)}
            isRunning={talk?.isRunning === true}
            onCancel={() => host.call({ type: "cancel", chat })}
            planMode={talk?.planMode === true}
            onPlanMode={(enabled) => host.call({ type: "planMode", chat, enabled })}
            commands={commands}
            isOff={line.is !== "connected"}
            draft={drafts.prompt(chat)}
            onDraft={(text) => drafts.keepPrompt(chat, text)}
            words={talkWords[language]}
          />
          <button type="button" className="attach" onClick={() => host.post({ type: "attach" })}>
            {words.attach}
          </button>
        </>
      )}
    </main>
  );
}
