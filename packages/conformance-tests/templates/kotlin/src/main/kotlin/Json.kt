import java.math.BigDecimal

/** JSON as maps, lists, texts, numbers, booleans and null: all that the client needs, so that it has no dependency. */
class Json private constructor(private val text: String) {
  private var at = 0

  private fun value(level: Int): Any? {
    if (level > MOST_LEVELS) throw unexpected()
    skipSpace()
    return when (peek()) {
      '{' -> members(level)
      '[' -> items(level)
      '"' -> string()
      't' -> word("true", true)
      'f' -> word("false", false)
      'n' -> word("null", null)
      else -> number()
    }
  }

  private fun members(level: Int): Map<String, Any?> {
    val members = LinkedHashMap<String, Any?>()
    at++
    skipSpace()
    while (peek() != '}') {
      if (members.isNotEmpty()) expect(',')
      skipSpace()
      val name = string()
      skipSpace()
      expect(':')
      members[name] = value(level + 1)
      skipSpace()
    }
    at++
    return members
  }

  private fun items(level: Int): List<Any?> {
    val items = ArrayList<Any?>()
    at++
    skipSpace()
    while (peek() != ']') {
      if (items.isNotEmpty()) expect(',')
      items.add(value(level + 1))
      skipSpace()
    }
    at++
    return items
  }

  private fun string(): String {
    expect('"')
    val read = StringBuilder()
    while (peek() != '"') {
      val next = text[at++]
      if (next < ' ') throw unexpected()
      read.append(if (next == '\\') escaped() else next)
    }
    at++
    return read.toString()
  }

  private fun escaped(): Char {
    val name = peek()
    at++
    if (name == 'u') {
      // By character: toInt takes a sign, and digits of other scripts.
      var code = 0
      repeat(4) {
        val digit = "0123456789abcdef".indexOf(peek().lowercaseChar())
        if (digit < 0) throw unexpected()
        code = code * 16 + digit
        at++
      }
      return code.toChar()
    }
    val known = "\"\\/bfnrt".indexOf(name)
    if (known < 0) throw unexpected()
    return "\"\\/\b\u000c\n\r\t"[known]
  }

  private fun number(): BigDecimal {
    val start = at
    while (at < text.length && text[at] in "+-.eE0123456789") at++
    val read = text.substring(start, at)
    // BigDecimal takes more, such as +1 and 01.
    if (!NUMBER.matches(read)) throw unexpected()
    return BigDecimal(read)
  }

  private fun word(word: String, value: Any?): Any? {
    if (!text.startsWith(word, at)) throw unexpected()
    at += word.length
    return value
  }

  private fun skipSpace() {
    while (at < text.length && text[at] in " \t\r\n") at++
  }

  /** The next character. Throws at the end of the text. */
  private fun peek(): Char = text.getOrNull(at) ?: throw unexpected()

  private fun expect(wanted: Char) {
    if (peek() != wanted) throw unexpected()
    at++
  }

  private fun unexpected() = IllegalArgumentException("no JSON at character $at")

  companion object {
    /** Deeper values are no messages of the wire. */
    private const val MOST_LEVELS = 512
    private val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")

    /** Reads a text. Throws IllegalArgumentException where it is not JSON. */
    fun parse(text: String): Any? {
      val json = Json(text)
      val value = json.value(0)
      json.skipSpace()
      if (json.at < text.length) throw json.unexpected()
      return value
    }

    /** Writes a value on one line. U+FFFD stands for half of a surrogate pair, at which some readers stop. */
    fun write(value: Any?): String = when (value) {
      is Map<*, *> -> value.entries.joinToString(",", "{", "}") { (name, member) -> "${write(name)}:${write(member)}" }
      is String -> value.codePoints().toArray().joinToString("", "\"", "\"", transform = ::written)
      else -> value.toString()
    }

    private fun written(point: Int): String = when (point) {
      '"'.code, '\\'.code -> "\\${point.toChar()}"
      in 0..0x1f, 0x2028, 0x2029 -> "\\u%04x".format(point)
      in 0xd800..0xdfff -> "\ufffd"
      else -> Character.toString(point)
    }
  }
}
