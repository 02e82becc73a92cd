// A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.
//
// The JDK and Kotlin's own library are all it needs. Person stands for your user interface; the conformance suite says
// what the person answers, by variables.

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.PrintStream
import java.util.concurrent.CompletableFuture
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** A JSON object. */
typealias Members = Map<String, Any?>

private const val INITIALIZE_MS = 8_000L
private const val CLOSE_MS = 1_000L
private const val FOREVER_MS = Long.MAX_VALUE / 2_000_000

/** The texts in the payload of a request that the client can show. */
private val requestTexts = mapOf(
  "QuestionRequest" to listOf("id", "tool_call_id"),
  "ApprovalRequest" to listOf("id", "tool_call_id", "sender", "action", "description"),
)

/** Put your user interface here. */
class Person(private val words: Members) {
  private val out = PrintStream(System.out, true, Charsets.UTF_8)

  fun show(text: Any?) = out.println(text)

  /** Calls `answer` with the result of a request, without its request_id: at any time, on any thread. */
  fun ask(payload: Members, answer: (Members) -> Unit) {
    val said = if ("questions" in payload) mapOf("answers" to answers(payload)) else approval()
    val ms = (words["after_ms"] as? Number)?.toLong() ?: 0
    CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS).execute { answer(said) }
  }

  /** Answers by the texts of the questions. What the person leaves out is not among them. */
  private fun answers(payload: Members): Members {
    val answers = LinkedHashMap<String, Any?>()
    if (words["dismiss"] == true) return answers
    val choices = list(words["choose"])
    for ((index, question) in list(payload["questions"]).map(::members).withIndex()) {
      val chosen = list(choices.getOrNull(index))
      val labels = list(question["options"]).map { members(it)["label"] }.filter { it in chosen }
      val values = labels + listOfNotNull(words["own_text"].takeIf { index == 0 })
      if (values.isNotEmpty()) answers[question["question"] as String] = values.joinToString(", ")
    }
    return answers
  }

  /** One of approve, approve_for_session and reject; and with a rejection, words to the agent. */
  private fun approval(): Members {
    val response = words["approve"] ?: "reject"
    val own = words["own_text"] ?: ""
    return mapOf("response" to response, "feedback" to if (response == "reject") own else "")
  }
}

/** A conversation with an agent, over its standard streams. Threads hand it their news. */
class Client(command: List<String>, private val person: Person) {
  private val agent: Process =
    ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).apply { environment().remove("DEBUG") }.start()

  /** Lines and functions to run, on the thread of the conversation. */
  private val news = LinkedBlockingQueue<() -> Unit>()

  /** The requests before the person, by the id in their payload. */
  private val open = HashMap<String, Members>()
  private var response: Members? = null
  private var hasEnded = false
  private var calls = 0

  init {
    thread(isDaemon = true) { listen() }
  }

  /** Hands on each line, which a line feed ends and nothing else. */
  private fun listen() {
    try {
      agent.inputStream.buffered().use { output ->
        val line = ByteArrayOutputStream()
        while (true) {
          val next = output.read()
          if (next < 0) break
          if (next != '\n'.code) {
            line.write(next)
            continue
          }
          val text = line.toString(Charsets.UTF_8)
          news.add { receive(read(text)) }
          line.reset()
        }
      }
    } catch (gone: IOException) {
      // The end says the same.
    }
    news.add { hasEnded = true }
  }

  /** The JSON object of a line. Anything else is passed over. */
  private fun read(line: String): Members =
    try {
      members(Json.parse(line))
    } catch (broken: IllegalArgumentException) {
      emptyMap()
    }

  /** Introduces the client. An agent that does not know `initialize` (-32601) is older, and used without. */
  fun initialize() {
    val about = mapOf(
      "protocol_version" to "1.10",
      "client" to mapOf("name" to "my-client", "version" to "0.1.0"),
      "capabilities" to mapOf("supports_question" to true),
    )
    val said = call("initialize", about, INITIALIZE_MS)
    val isOlder = (members(said["error"])["code"] as? Number)?.toInt() == -32601
    val expected = listOf("protocol_version", "server", "slash_commands")
    if (!isOlder && !members(said["result"]).keys.containsAll(expected))
      throw IOException("the agent does not introduce itself: $said")
  }

  /** Sends a request, takes everything up to its response, and returns that. */
  fun call(method: String, params: Members, patience: Long): Members {
    calls++
    response = null
    send(mapOf("id" to "c$calls", "method" to method, "params" to params))
    val deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience)
    while (true) {
      response?.let { return it }
      if (hasEnded) throw IOException("the agent has ended")
      val next = news.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
      next ?: throw IOException("the agent does not answer $method")
      next()
    }
  }

  /** Takes a message. Only a request has an answer. */
  private fun receive(message: Members) {
    val params = members(message["params"])
    val payload = members(params["payload"])
    val id = message["id"]
    val method = message["method"]
    if (method is String) {
      if (method == "event") hear(params["type"], payload)
      else if (id != null) asked(id, method, params["type"], payload)
    } else if (id == "c$calls") {
      val isResponse = "result" in message || message["error"] is Map<*, *>
      if (isResponse) response = message
    }
  }

  /** Shows what the agent says. A request that was settled elsewhere is no longer answered. */
  private fun hear(type: Any?, payload: Members) {
    when (type) {
      "ContentPart" -> if (payload["type"] == "text") person.show(payload["text"])
      "ToolResult" -> open.values.removeIf { it["tool_call_id"] == payload["tool_call_id"] }
      "ApprovalResponse", "ApprovalRequestResolved" -> open.remove(payload["request_id"])
      "TurnEnd" -> open.clear()
    }
  }

  private fun asked(id: Any, method: String, type: Any?, payload: Members) {
    if (method != "request" || type is String && type !in requestTexts)
      return refuse(id, -32601, "there is no such method or type")
    if (type !is String || !fits(type, payload)) return refuse(id, -32602, "the request does not fit")
    // The id of the payload goes into the answer, and that of the message around it.
    val request = payload["id"] as String
    open[request] = payload
    person.ask(payload) { said ->
      news.add {
        if (open.remove(request) != null)
          send(mapOf("id" to id, "result" to mapOf("request_id" to request) + said))
      }
    }
  }

  private fun refuse(id: Any, code: Int, message: String) =
    send(mapOf("id" to id, "error" to mapOf("code" to code, "message" to message, "data" to null)))

  /** Writes a message: one JSON object on a line. The end of the agent's output says when it is gone. */
  private fun send(message: Members) {
    val line = Json.write(mapOf("jsonrpc" to "2.0") + message) + "\n"
    try {
      agent.outputStream.write(line.toByteArray())
      agent.outputStream.flush()
    } catch (gone: IOException) {
      // The listener hears of it.
    }
  }

  /** Ends the agent by the end of its input, then kindly, then by force. */
  fun close() {
    try {
      agent.outputStream.close()
    } catch (gone: IOException) {
      // Nothing more of it is read.
    }
    if (!agent.waitFor(CLOSE_MS, TimeUnit.MILLISECONDS)) agent.destroy()
    if (!agent.waitFor(CLOSE_MS, TimeUnit.MILLISECONDS)) agent.destroyForcibly().waitFor()
  }
}

/** True if everything that the client needs of a request is there. */
private fun fits(kind: String, payload: Members): Boolean {
  val hasTexts = requestTexts.getValue(kind).all { payload[it] is String }
  if (!hasTexts || kind == "ApprovalRequest") return hasTexts
  val questions = list(payload["questions"])
  return questions.isNotEmpty() && questions.all(::isQuestion)
}

private fun isQuestion(value: Any?): Boolean {
  val question = members(value)
  val options = if ("options" in question) question["options"] as? List<*> else emptyList<Any?>()
  return question["question"] is String && options != null && options.all { members(it)["label"] is String }
}

/** The value as an object, empty where it is none. */
@Suppress("UNCHECKED_CAST")
private fun members(value: Any?): Members = value as? Members ?: emptyMap()

private fun list(value: Any?): List<Any?> = value as? List<*> ?: emptyList()

fun main() {
  val variables = System.getenv()
  val words = list(Json.parse(variables["ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS"] ?: "[]")).map { it as String }
  val command = listOf(variables.getValue("ASKWIRE_CONFORMANCE_AGENT")) + words + "--wire"
  val person = Person(members(Json.parse(variables["ASKWIRE_CONFORMANCE_ANSWER"] ?: "{}")))
  var client: Client? = null
  try {
    client = Client(command, person)
    client.initialize()
    val prompt = mapOf("user_input" to variables["ASKWIRE_CONFORMANCE_PROMPT"])
    val error = client.call("prompt", prompt, FOREVER_MS)["error"]
    if (error is Map<*, *>) System.err.println("client: the turn failed: ${error["message"]}")
  } catch (problem: IOException) {
    System.err.println("client: ${problem.message}")
  } finally {
    client?.close()
  }
}
