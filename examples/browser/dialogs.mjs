/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Handlers that put what the agent asks into dialogs of the browser. Its words are set as text, never as markup.

/** @type {(parent: Element, tag: string, fields?: object) => any} */
export const add = (parent, tag, fields) =>
  parent.appendChild(Object.assign(document.createElement(tag), fields));

/**
 * Resolves with the value of the button that closed the dialog; empty after Escape or the signal. The title has the
 * focus at first, so that keys meant for another place answer nothing.
 * @type {(title: string, signal: AbortSignal, fill: (form: HTMLFormElement) => void) => Promise<any>}
 */
function show(title, signal, fill) {
  const dialog = add(document.body, "dialog");
  const form = add(dialog, "form", { method: "dialog" });
  add(form, "h2", { textContent: title, tabIndex: -1, autofocus: true });
  fill(form);
  dialog.showModal();
  signal.addEventListener("abort", () => dialog.close());
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue);
    };
  });
}

/**
 * @param {import("@askwire/client").QuestionView} view
 * @param {import("@askwire/client").RequestContext} context
 * @returns {Promise<import("@askwire/client").QuestionReply>}
 */
export async function question({ questions }, { signal }) {
  let data = new FormData();
  const pressed = await show("The agent asks", signal, (form) => {
    for (const item of questions) {
      const field = add(form, "fieldset");
      add(field, "legend", { textContent: item.question });
      add(field, "p", { textContent: item.body });
      for (const { id, label, description } of item.options) {
        const row = add(field, "label", { textContent: label });
        const type = item.multi_select ? "checkbox" : "radio";
        row.prepend(add(row, "input", { type, name: item.id, value: id }));
        add(row, "small", { textContent: description });
      }
      const placeholder = `${item.other_label || "In your own words"} ${item.other_description}`;
      if (item.own_text) add(field, "input", { name: `${item.id} own`, placeholder, autocomplete: "off" });
    }
    const answer = add(form, "button", { value: "answer", textContent: "Answer", disabled: true });
    form.oninput = () => {
      data = new FormData(form);
      answer.disabled = [...data.values()].every((value) => String(value).trim() === "");
    };
  });
  const given = (/** @type {string} */ name) => data.getAll(name).map(String);
  const items = questions.map(({ id }) => {
    return { question_id: id, selected: given(id), own_text: given(`${id} own`).join() };
  });
  return pressed === "answer" ? { items } : "declined";
}

/**
 * @param {import("@askwire/client").ApprovalView} view
 * @param {import("@askwire/client").RequestContext} context
 * @returns {Promise<import("@askwire/client").ApprovalReply>}
 */
export async function approval({ sender, action, description, display }, { signal }) {
  let feedback = "";
  const pressed = await show(`${sender}: ${action}`, signal, (form) => {
    for (const block of [{ description }, ...display]) {
      for (const [key, value] of Object.entries(block)) {
        add(form, "pre", {
          title: key,
          textContent: typeof value === "string" ? value : JSON.stringify(value),
        });
      }
    }
    const why = add(form, "input", { placeholder: "If you reject: what to do instead", autocomplete: "off" });
    why.oninput = () => {
      feedback = why.value;
    };
    add(form, "button", { value: "reject", textContent: "Reject" });
    add(form, "button", { value: "approve", textContent: "Approve" });
    add(form, "button", { value: "approve_for_session", textContent: "Approve for this session" });
  });
  return { response: pressed || "reject", feedback: pressed === "reject" ? feedback : "" };
}
