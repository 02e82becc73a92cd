package example

import com.google.gson.JsonObject
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletableFuture.completedFuture
import org.eclipse.lsp4j.jsonrpc.Launcher
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode
import org.eclipse.lsp4j.jsonrpc.services.JsonNotification
import org.eclipse.lsp4j.jsonrpc.services.JsonRequest

/** An option. Its description may be empty. */
data class Option(val label: String, val description: String = "")

/** The person at the editor. Put your dialogs here: each future may be completed at any time, on any thread. */
interface Person {
    /** Tells what the agent says. */
    fun hear(text: String)

    /** Some labels of the options, and own words. An empty list skips the question. */
    fun choose(title: String, body: String, options: List<Option>, several: Boolean): CompletableFuture<List<String>>
}

/** The methods of the agent that this client calls. */
interface Methods {
    @JsonRequest
    fun initialize(params: JsonObject): CompletableFuture<JsonObject>

    @JsonRequest
    fun prompt(params: JsonObject): CompletableFuture<JsonObject>
}

/** An agent in a process of its own, whose questions and approvals a person answers. */
class AskingAgent(private val person: Person) {
    // #region prompt
    /** Starts the agent for one turn. Completes when the agent has ended, and fails where it ends in the middle. */
    fun prompt(command: List<String>, words: String): CompletableFuture<Unit> {
        val agent = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        val wire = Launcher.Builder<Methods>()
            .setLocalService(this)
            .setRemoteInterface(Methods::class.java)
            .setInput(agent.inputStream)
            .setOutput(agent.outputStream)
            .create()
        wire.startListening()

        val capabilities = JsonObject().apply { addProperty("supports_question", true) }
        val about = JsonObject().apply {
            addProperty("protocol_version", "1.10")
            add("capabilities", capabilities)
        }
        val prompt = JsonObject().apply { addProperty("user_input", words) }
        val turn = wire.remoteProxy.initialize(about)
            .thenCompose { wire.remoteProxy.prompt(prompt) }
            .whenComplete { _, _ -> runCatching { agent.outputStream.close() } } // The end of its input ends it.
        return agent.onExit().thenCompose { ended ->
            if (turn.isDone && ended.exitValue() == 0) turn.thenApply { }
            else CompletableFuture.failedFuture(IOException("the agent ended with ${ended.exitValue()}"))
        }
    }
    // #endregion prompt

    // #region requests
    @JsonNotification
    fun event(event: JsonObject) {
        val payload = event.getAsJsonObject("payload")
        if (event.text("type") == "ContentPart" && payload.text("type") == "text") person.hear(payload.text("text"))
    }

    @JsonRequest
    fun request(request: JsonObject): CompletableFuture<JsonObject> {
        val payload = request.getAsJsonObject("payload")
        val answer = when (request.text("type")) {
            "QuestionRequest" -> questions(payload)
            "ApprovalRequest" -> approval(payload)
            else -> throw ResponseErrorException(ResponseError(ResponseErrorCode.MethodNotFound, "not here", null))
        }
        return answer.thenApply { it.apply { addProperty("request_id", payload.text("id")) } }
    }

    /** Asks the questions one after the other. One that the person skips is not among the answers. */
    private fun questions(payload: JsonObject): CompletableFuture<JsonObject> =
        payload.objects("questions").fold(completedFuture(JsonObject())) { before, question ->
            before.thenCompose { answers ->
                val options = question.objects("options").map { Option(it.text("label"), it.text("description")) }
                val labels = options.map { it.label }
                val several = question["multi_select"].asBoolean
                person.choose(question.text("question"), question.text("body"), options, several).thenApply { chosen ->
                    // The labels in the order of the options, then own words.
                    val answer = (labels.filter { it in chosen } + (chosen - labels.toSet())).joinToString(", ")
                    answers.apply { if (answer.isNotBlank()) addProperty(question.text("question"), answer) }
                }
            }
        }.thenApply { answers -> JsonObject().apply { add("answers", answers) } }

    /** Has the person approve. Own words reject, and tell the agent why. */
    private fun approval(payload: JsonObject): CompletableFuture<JsonObject> {
        val body = payload.objects("display").joinToString("\n\n") { textOf(it) }.trim()
        val title = "${payload.text("sender")}: ${payload.text("description")}"
        return person.choose(title, body, decisions.keys.map { Option(it) }, false).thenApply { chosen ->
            val word = chosen.firstOrNull() ?: "Reject"
            JsonObject().apply {
                addProperty("response", decisions[word] ?: "reject")
                addProperty("feedback", if (word in decisions) "" else word)
            }
        }
    }

    private val decisions =
        mapOf("Approve" to "approve", "Approve for this session" to "approve_for_session", "Reject" to "reject")

    /** The text of a block of an approval. A type that this client does not know has none. */
    private fun textOf(block: JsonObject) = when (block.text("type")) {
        "diff" -> "${block.text("path")}\n\nBefore:\n${block.text("old_text")}\n\nAfter:\n${block.text("new_text")}"
        "shell" -> block.text("command")
        else -> block.text("text")
    }
    // #endregion requests
}

/** A text member, empty where there is none. */
private fun JsonObject.text(name: String) = this[name]?.takeIf { it.isJsonPrimitive }?.asString ?: ""

private fun JsonObject.objects(name: String) = getAsJsonArray(name).map { it.asJsonObject }
