/// <reference lib="dom" />
// #region page
import { connectWebSocket } from "@askwire/client/websocket";
import { add, approval, question } from "./dialogs.mjs";

// Keeps the token out of the address bar and the history, where a reload finds it.
const address = location.hash.slice(1) || (sessionStorage.getItem("askwire") ?? "");
sessionStorage.setItem("askwire", address);
history.replaceState(null, "", location.pathname);

const [log, form] = /** @type {any} */ (document.body.children);
const tell = (/** @type {string} */ textContent, className = "") => add(log, "p", { textContent, className });

try {
  let answer = tell("");
  const session = await connectWebSocket(address, {
    client: { name: "browser-example" },
    onConnection({ state }) {
      const { send } = form.elements;
      if (state === "lost" && !send.disabled) tell("The connection is lost. Trying again.", "problem");
      send.disabled = state !== "connected";
    },
    handlers: {
      question,
      approval,
      event(event) {
        if (event.type === "TurnBegin") {
          if (typeof event.payload.user_input === "string") tell(event.payload.user_input, "person");
          answer = tell("");
        } else if (event.type === "ContentPart" && event.payload.type === "text") {
          answer.append(event.payload.text);
        }
      },
    },
  });
  form.onsubmit = async (/** @type {SubmitEvent} */ submit) => {
    submit.preventDefault();
    const text = form.elements.text.value;
    form.reset();
    try {
      await session.prompt(text).result;
    } catch (error) {
      tell(`${error}`, "problem");
    }
  };
  const cause = await session.closed;
  tell(cause?.message ?? "The connection is closed.", "problem");
} catch (error) {
  tell(`${error}`, "problem");
}
form.elements.send.disabled = true;
// #endregion page
