export {
  type EqualEnds,
  equalEnds,
  errorText,
  keptText,
  says,
  showsEdit,
  typedText,
  withEditShown,
  withLineFeeds,
} from "@askwire/protocol/internal";
