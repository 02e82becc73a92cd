package example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Prompts an agent from a console: java -cp … example.Prompt WORDS COMMAND… */
public final class Prompt implements Person {
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final BufferedReader typed =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  public static void main(String[] words) throws Exception {
    List<String> command = List.of(words).subList(1, words.length);
    Prompt console = new Prompt();
    try {
      new AskingAgent(console).prompt(command, words[0]).join();
      System.exit(0); // The threads of LSP4J would stay for a minute.
    } catch (Exception problem) {
      console.out.println(problem.getCause() == null ? problem : problem.getCause().getMessage());
      System.exit(1);
    }
  }

  @Override
  public void hear(String text) {
    out.println(text);
  }

  @Override
  public CompletableFuture<List<String>> choose(
      String title, String body, List<Option> options, boolean several) {
    return CompletableFuture.supplyAsync(() -> {
      if (!body.isEmpty()) out.println(body);
      out.println(title + (several ? " (a line each, then an empty one)" : ""));
      for (Option option : options)
        out.println("- " + option.label() + (option.description().isEmpty() ? "" : " – " + option.description()));
      List<String> chosen = new ArrayList<>();
      for (String line = read(); !line.isEmpty(); line = several ? read() : "") chosen.add(line);
      return chosen;
    });
  }

  /** A line, empty at the end of the input. */
  private String read() {
    try {
      String line = typed.readLine();
      return line == null ? "" : line;
    } catch (IOException gone) {
      return "";
    }
  }
}
