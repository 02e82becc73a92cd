export {
  type EqualEnds,
  equalEnds,
  errorText,
  keptText,
  says,
  typedText,
  withEditShown,
  withLineFeeds,
} from "@askwire/protocol/internal";
