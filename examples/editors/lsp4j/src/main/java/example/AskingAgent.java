package example;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import example.Person.Option;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;
import org.eclipse.lsp4j.jsonrpc.services.JsonNotification;
import org.eclipse.lsp4j.jsonrpc.services.JsonRequest;

/** An agent in a process of its own, whose questions and approvals a person answers. */
public final class AskingAgent {
  private final Person person;

  public AskingAgent(Person person) {
    this.person = person;
  }

  // #region prompt
  /** The methods of the agent that this client calls. */
  interface Methods {
    @JsonRequest
    CompletableFuture<JsonObject> initialize(JsonObject params);

    @JsonRequest
    CompletableFuture<JsonObject> prompt(JsonObject params);
  }

  /** Starts the agent for one turn. Completes when the agent has ended, and fails where it ends in the middle. */
  public CompletableFuture<Void> prompt(List<String> command, String words) throws IOException {
    Process agent = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Launcher<Methods> wire = new Launcher.Builder<Methods>()
        .setLocalService(this)
        .setRemoteInterface(Methods.class)
        .setInput(agent.getInputStream())
        .setOutput(agent.getOutputStream())
        .create();
    wire.startListening();

    JsonObject about = object("protocol_version", "1.10");
    JsonObject capabilities = new JsonObject();
    capabilities.addProperty("supports_question", true);
    about.add("capabilities", capabilities);
    CompletableFuture<?> turn = wire.getRemoteProxy().initialize(about)
        .thenCompose(result -> wire.getRemoteProxy().prompt(object("user_input", words)))
        .whenComplete((result, problem) -> close(agent));
    return agent.onExit().thenCompose(ended -> turn.isDone() && ended.exitValue() == 0
        ? turn.thenAccept(result -> {})
        : CompletableFuture.failedFuture(new IOException("the agent ended with " + ended.exitValue())));
  }

  /** The end of its input ends the agent. */
  private static void close(Process agent) {
    try {
      agent.getOutputStream().close();
    } catch (IOException gone) {
      agent.destroy();
    }
  }
  // #endregion prompt

  // #region requests
  @JsonNotification
  public void event(JsonObject event) {
    JsonObject payload = event.getAsJsonObject("payload");
    if (text(event, "type").equals("ContentPart") && text(payload, "type").equals("text"))
      person.hear(text(payload, "text"));
  }

  @JsonRequest
  public CompletableFuture<JsonObject> request(JsonObject request) {
    JsonObject payload = request.getAsJsonObject("payload");
    return switch (text(request, "type")) {
      case "QuestionRequest" -> questions(payload);
      case "ApprovalRequest" -> approval(payload);
      default -> throw new ResponseErrorException(
          new ResponseError(ResponseErrorCode.MethodNotFound, "not here", null));
    };
  }

  /** Asks the questions one after the other. One that the person skips is not among the answers. */
  private CompletableFuture<JsonObject> questions(JsonObject payload) {
    CompletableFuture<JsonObject> answers = CompletableFuture.completedFuture(new JsonObject());
    for (JsonObject question : objects(payload, "questions"))
      answers = answers.thenCompose(answered -> {
        List<Option> options = objects(question, "options").stream()
            .map(option -> new Option(text(option, "label"), text(option, "description")))
            .toList();
        boolean several = question.get("multi_select").getAsBoolean();
        return person.choose(text(question, "question"), text(question, "body"), options, several)
            .thenApply(chosen -> {
              String answer = String.join(", ", inOrder(options, chosen));
              if (!answer.isBlank()) answered.addProperty(text(question, "question"), answer);
              return answered;
            });
      });
    return answers.thenApply(answered -> {
      JsonObject result = object("request_id", text(payload, "id"));
      result.add("answers", answered);
      return result;
    });
  }

  /** The labels in the order of the options, then own words. */
  private static List<String> inOrder(List<Option> options, List<String> chosen) {
    List<String> labels = options.stream().map(Option::label).toList();
    Stream<String> own = chosen.stream().filter(word -> !labels.contains(word));
    return Stream.concat(labels.stream().filter(chosen::contains), own).toList();
  }

  private static final List<Option> DECISIONS = List.of(
      new Option("Approve", ""), new Option("Approve for this session", ""), new Option("Reject", ""));

  /** Has the person approve. Own words reject, and tell the agent why. */
  private CompletableFuture<JsonObject> approval(JsonObject payload) {
    List<String> blocks = objects(payload, "display").stream().map(AskingAgent::textOf).toList();
    String title = text(payload, "sender") + ": " + text(payload, "description");
    return person.choose(title, String.join("\n\n", blocks).strip(), DECISIONS, false).thenApply(chosen -> {
      JsonObject result = object("request_id", text(payload, "id"));
      String word = chosen.isEmpty() ? "Reject" : chosen.get(0);
      result.addProperty("response", switch (word) {
        case "Approve" -> "approve";
        case "Approve for this session" -> "approve_for_session";
        default -> "reject";
      });
      boolean isOwn = DECISIONS.stream().noneMatch(decision -> decision.label().equals(word));
      result.addProperty("feedback", isOwn ? word : "");
      return result;
    });
  }

  /** The text of a block of an approval. A type that this client does not know has none. */
  private static String textOf(JsonObject block) {
    return switch (text(block, "type")) {
      case "diff" -> text(block, "path") + "\n\nBefore:\n" + text(block, "old_text") + "\n\nAfter:\n"
          + text(block, "new_text");
      case "shell" -> text(block, "command");
      default -> text(block, "text");
    };
  }
  // #endregion requests

  private static JsonObject object(String name, String value) {
    JsonObject object = new JsonObject();
    object.addProperty(name, value);
    return object;
  }

  /** A text member, empty where there is none. */
  private static String text(JsonObject object, String name) {
    JsonElement value = object.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  private static List<JsonObject> objects(JsonObject object, String name) {
    JsonArray list = object.getAsJsonArray(name);
    return StreamSupport.stream(list.spliterator(), false).map(JsonElement::getAsJsonObject).toList();
  }
}
