// Markdown that a test gives the page, as a whole or in pieces.
import { Markdown } from "@askwire/react/markdown";
import { useState } from "react";
import { createRoot } from "react-dom/client";

function Mounted() {
  const [text, setText] = useState("");
  Object.assign(globalThis, { show: setText });
  return (
    <section aria-labelledby="heading">
      <h2 id="heading">Said</h2>
      <Markdown text={text} />
    </section>
  );
}

createRoot(document.getElementById("cards") as Element).render(<Mounted />);
