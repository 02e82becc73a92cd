// The face @askwire/react/inbox: all that waits over the sessions of a server, apart from what one session needs.

export { type InboxWords, inboxWords } from "@askwire/client/words/inbox";
export { InboxList, type InboxListProps } from "./lists/inbox-list.js";
export { type KnownRequests, useWaitingRequests } from "./lists/use-waiting-requests.js";
