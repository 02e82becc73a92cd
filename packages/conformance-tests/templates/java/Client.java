// A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.
//
// The JDK is all it needs. Person stands for your user interface; the conformance suite says what the person answers,
// by variables.

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A conversation with an agent, over its standard streams. Threads hand it their news. */
public final class Client {
  private static final long INITIALIZE_MS = 8_000;
  private static final long CLOSE_MS = 1_000;
  private static final long FOREVER_MS = Long.MAX_VALUE / 2_000_000;

  /** Put your user interface here. */
  record Person(Map<String, Object> words) {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    void show(Object text) {
      OUT.println(text);
    }

    /** Calls `answer` with the result of a request, without its request_id: at any time, on any thread. */
    void ask(Map<String, Object> payload, Consumer<Map<String, Object>> answer) {
      Map<String, Object> said = payload.containsKey("questions") ? answers(payload) : approval();
      long ms = words.get("after_ms") instanceof Number number ? number.longValue() : 0;
      CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS).execute(() -> answer.accept(said));
    }

    /** Answers by the texts of the questions. What the person leaves out is not among them. */
    private Map<String, Object> answers(Map<String, Object> payload) {
      Map<String, Object> answers = new LinkedHashMap<>();
      List<?> questions = list(payload.get("questions"));
      List<?> choose = list(words.get("choose"));
      for (int index = 0; index < questions.size(); index++) {
        Map<String, Object> question = object(questions.get(index));
        List<?> chosen = index < choose.size() ? list(choose.get(index)) : List.of();
        List<String> values = new ArrayList<>();
        for (Object option : list(question.get("options")))
          if (chosen.contains(object(option).get("label"))) values.add((String) object(option).get("label"));
        if (index == 0 && words.get("own_text") instanceof String own) values.add(own);
        boolean isLeftOut = values.isEmpty() || Boolean.TRUE.equals(words.get("dismiss"));
        if (!isLeftOut) answers.put((String) question.get("question"), String.join(", ", values));
      }
      return members("answers", answers);
    }

    /** One of approve, approve_for_session and reject; and with a rejection, words to the agent. */
    private Map<String, Object> approval() {
      Object response = words.getOrDefault("approve", "reject");
      Object own = words.getOrDefault("own_text", "");
      return members("response", response, "feedback", response.equals("reject") ? own : "");
    }
  }

  private final Process agent;
  private final Person person;
  /** Lines and functions to run, on the thread of the conversation. */
  private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
  /** The requests before the person, by the id in their payload. */
  private final Map<String, Map<String, Object>> open = new HashMap<>();
  private Map<String, Object> response;
  private boolean hasEnded = false;
  private int calls = 0;

  Client(List<String> command, Person person) throws IOException {
    this.person = person;
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().remove("DEBUG");
    agent = builder.start();
    Thread listener = new Thread(this::listen);
    listener.setDaemon(true);
    listener.start();
  }

  /** Hands on each line, which a line feed ends and nothing else. */
  private void listen() {
    try (InputStream output = new BufferedInputStream(agent.getInputStream())) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = output.read(); next >= 0; next = output.read()) {
        if (next != '\n') {
          line.write(next);
          continue;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        news.add(() -> receive(read(text)));
        line.reset();
      }
    } catch (IOException gone) {
      // The end says the same.
    }
    news.add(() -> hasEnded = true);
  }

  /** The JSON object of a line. Anything else is passed over. */
  private static Map<String, Object> read(String line) {
    try {
      return object(Json.parse(line));
    } catch (IllegalArgumentException broken) {
      return Map.of();
    }
  }

  /** Introduces the client. An agent that does not know `initialize` (-32601) is older, and used without. */
  void initialize() throws IOException, InterruptedException {
    Map<String, Object> about = members(
        "protocol_version", "1.10",
        "client", members("name", "my-client", "version", "0.1.0"),
        "capabilities", members("supports_question", true));
    Map<String, Object> said = call("initialize", about, INITIALIZE_MS);
    boolean isOlder = object(said.get("error")).get("code") instanceof Number code && code.intValue() == -32601;
    List<String> expected = List.of("protocol_version", "server", "slash_commands");
    if (!isOlder && !object(said.get("result")).keySet().containsAll(expected))
      throw new IOException("the agent does not introduce itself: " + said);
  }

  /** Sends a request, takes everything up to its response, and returns that. */
  Map<String, Object> call(String method, Map<String, Object> params, long patience)
      throws IOException, InterruptedException {
    calls++;
    response = null;
    send(members("id", "c" + calls, "method", method, "params", params));
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
    while (response == null) {
      if (hasEnded) throw new IOException("the agent has ended");
      Runnable next = news.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) throw new IOException("the agent does not answer " + method);
      next.run();
    }
    return response;
  }

  /** Takes a message. Only a request has an answer. */
  private void receive(Map<String, Object> message) {
    Map<String, Object> params = object(message.get("params"));
    Object id = message.get("id");
    if (message.get("method") instanceof String method) {
      if (method.equals("event")) hear(params.get("type"), object(params.get("payload")));
      else if (id != null) asked(id, method, params.get("type"), object(params.get("payload")));
    } else if (("c" + calls).equals(id)) {
      boolean isResponse = message.containsKey("result") || message.get("error") instanceof Map;
      if (isResponse) response = message;
    }
  }

  /** Shows what the agent says. A request that was settled elsewhere is no longer answered. */
  private void hear(Object type, Map<String, Object> payload) {
    if (!(type instanceof String event)) return;
    switch (event) {
      case "ContentPart" -> {
        if ("text".equals(payload.get("type"))) person.show(payload.get("text"));
      }
      case "ToolResult" -> open.values()
          .removeIf(asked -> asked.get("tool_call_id").equals(payload.get("tool_call_id")));
      case "ApprovalResponse", "ApprovalRequestResolved" -> open.remove(payload.get("request_id"));
      case "TurnEnd" -> open.clear();
      default -> {}
    }
  }

  private void asked(Object id, String method, Object type, Map<String, Object> payload) {
    if (!method.equals("request") || type instanceof String name && !REQUESTS.containsKey(name)) {
      refuse(id, -32601, "there is no such method or type");
    } else if (!(type instanceof String kind) || !fits(kind, payload)) {
      refuse(id, -32602, "the request does not fit");
    } else {
      // The id of the payload goes into the answer, and that of the message around it.
      String request = (String) payload.get("id");
      open.put(request, payload);
      person.ask(payload, said -> news.add(() -> {
        if (open.remove(request) == null) return;
        Map<String, Object> result = members("request_id", request);
        result.putAll(said);
        send(members("id", id, "result", result));
      }));
    }
  }

  /** The texts in the payload of a request that the client can show. */
  private static final Map<String, List<String>> REQUESTS = Map.of(
      "QuestionRequest", List.of("id", "tool_call_id"),
      "ApprovalRequest", List.of("id", "tool_call_id", "sender", "action", "description"));

  /** True if everything that the client needs of a request is there. */
  private static boolean fits(String kind, Map<String, Object> payload) {
    boolean hasTexts = REQUESTS.get(kind).stream().allMatch(name -> payload.get(name) instanceof String);
    if (!hasTexts || kind.equals("ApprovalRequest")) return hasTexts;
    return payload.get("questions") instanceof List<?> questions
        && !questions.isEmpty()
        && questions.stream().allMatch(Client::isQuestion);
  }

  private static boolean isQuestion(Object value) {
    Map<String, Object> question = object(value);
    return question.get("question") instanceof String
        && question.getOrDefault("options", List.of()) instanceof List<?> options
        && options.stream().allMatch(option -> object(option).get("label") instanceof String);
  }

  private void refuse(Object id, int code, String message) {
    send(members("id", id, "error", members("code", code, "message", message, "data", null)));
  }

  /** Writes a message: one JSON object on a line. The end of the agent's output says when it is gone. */
  private void send(Map<String, Object> message) {
    Map<String, Object> whole = members("jsonrpc", "2.0");
    whole.putAll(message);
    try {
      agent.getOutputStream().write((Json.write(whole) + "\n").getBytes(StandardCharsets.UTF_8));
      agent.getOutputStream().flush();
    } catch (IOException gone) {
      // The listener hears of it.
    }
  }

  /** Ends the agent by the end of its input, then kindly, then by force. */
  void close() throws InterruptedException {
    try {
      agent.getOutputStream().close();
    } catch (IOException gone) {
      // Nothing more of it is read.
    }
    if (!agent.waitFor(CLOSE_MS, TimeUnit.MILLISECONDS)) agent.destroy();
    if (!agent.waitFor(CLOSE_MS, TimeUnit.MILLISECONDS)) agent.destroyForcibly().waitFor();
  }

  private static Map<String, Object> members(Object... namesAndValues) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2)
      members.put((String) namesAndValues[at], namesAndValues[at + 1]);
    return members;
  }

  /** The value as an object, empty where it is none. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  private static List<?> list(Object value) {
    return value instanceof List<?> items ? items : List.of();
  }

  public static void main(String[] none) throws InterruptedException {
    Map<String, String> variables = System.getenv();
    List<String> command = new ArrayList<>(List.of(variables.get("ASKWIRE_CONFORMANCE_AGENT")));
    for (Object word : list(Json.parse(variables.getOrDefault("ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS", "[]"))))
      command.add((String) word);
    command.add("--wire");
    Person person = new Person(object(Json.parse(variables.getOrDefault("ASKWIRE_CONFORMANCE_ANSWER", "{}"))));
    Client client = null;
    try {
      client = new Client(command, person);
      client.initialize();
      Map<String, Object> prompt = members("user_input", variables.get("ASKWIRE_CONFORMANCE_PROMPT"));
      Map<String, Object> ended = client.call("prompt", prompt, FOREVER_MS);
      if (ended.get("error") instanceof Map<?, ?> error)
        System.err.println("client: the turn failed: " + error.get("message"));
    } catch (IOException problem) {
      System.err.println("client: " + problem.getMessage());
    } finally {
      if (client != null) client.close();
    }
  }
}
