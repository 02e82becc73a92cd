package example;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The person at the editor. Put your dialogs here: each future may be completed at any time, on any thread. */
public interface Person {
  /** Tells what the agent says. */
  void hear(String text);

  /** Some labels of the options, and own words. An empty list skips the question. */
  CompletableFuture<List<String>> choose(String title, String body, List<Option> options, boolean several);

  /** An option. Its description may be empty. */
  record Option(String label, String description) {}
}
