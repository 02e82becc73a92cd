// The entry of the webview.
import { leadTo } from "@askwire/react";
import { createRoot } from "react-dom/client";
import { viewDrafts } from "./drafts.js";
import { type EditorApi, host } from "./host.js";
import { ChatView } from "./view.js";
import { viewColours } from "./view-colours.js";

declare function acquireVsCodeApi(): EditorApi;

const api = acquireVsCodeApi();
const kept = viewDrafts(api, (chat, json) => api.postMessage({ type: "keepDrafts", chat, drafts: json }));
const root = createRoot(document.getElementById("view") as Element);
root.render(
  <ChatView host={host(api, window, leadTo, kept.adopt)} drafts={kept} highlight={viewColours()} />,
);
