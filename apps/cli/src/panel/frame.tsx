import { Box, Text } from "ink";
import type { Page, Part } from "./page.js";

/** A frame: the sections of its page, one below the other. */
export const Frame = ({ page }: { page: Page }) => (
  <Box flexDirection="column">
    {page.parts.map(({ section, lines }) => (
      <Lines key={section} lines={lines} />
    ))}
  </Box>
);

/**
 * Lines as they are: all fit, since they were cut before. Each is a text of its own, since Ink never forgets a text that
 * it measured, and most lines are the same in the next frame. Without a blank an empty one would take no line.
 */
const Lines = ({ lines }: Pick<Part, "lines">) => (
  <Box flexDirection="column" flexShrink={0}>
    {lines.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
      <Text key={index} wrap="truncate-end">
        {line || " "}
      </Text>
    ))}
  </Box>
);
