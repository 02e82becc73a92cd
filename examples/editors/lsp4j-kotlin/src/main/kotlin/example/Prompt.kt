// Prompts an agent from a console: java -cp … example.PromptKt WORDS COMMAND…
package example

import java.io.PrintStream
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletableFuture.supplyAsync
import java.util.concurrent.CompletionException
import kotlin.system.exitProcess

/** Stands for the dialogs of an editor. */
private object Console : Person {
    private val out = PrintStream(System.out, true, Charsets.UTF_8)

    override fun hear(text: String) = out.println(text)

    override fun choose(
        title: String,
        body: String,
        options: List<Option>,
        several: Boolean,
    ): CompletableFuture<List<String>> = supplyAsync {
        if (body.isNotEmpty()) out.println(body)
        out.println(title + if (several) " (a line each, then an empty one)" else "")
        for ((label, description) in options)
            out.println("- $label" + if (description == "") "" else " – $description")
        val lines = generateSequence { readlnOrNull() }
        if (several) lines.takeWhile { it != "" }.toList() else listOfNotNull(readlnOrNull())
    }
}

fun main(words: Array<String>) {
    try {
        AskingAgent(Console).prompt(words.drop(1), words[0]).join()
    } catch (problem: CompletionException) {
        println(problem.cause?.message)
        exitProcess(1)
    }
    exitProcess(0) // The threads of LSP4J would stay for a minute.
}
