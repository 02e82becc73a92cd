import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, numbers, booleans and null: all that the client needs, so that it has no dependency. */
final class Json {
  /** Deeper values are no messages of the wire. */
  private static final int MOST_LEVELS = 512;

  private final String text;
  private int at = 0;

  private Json(String text) {
    this.text = text;
  }

  /** Reads a text. Throws IllegalArgumentException where it is not JSON. */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.skipSpace();
    if (json.at < text.length()) throw json.unexpected();
    return value;
  }

  private Object value(int level) {
    if (level > MOST_LEVELS) throw unexpected();
    skipSpace();
    return switch (peek()) {
      case '{' -> object(level);
      case '[' -> list(level);
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int level) {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    skipSpace();
    while (peek() != '}') {
      if (!members.isEmpty()) expect(',');
      skipSpace();
      String name = string();
      skipSpace();
      expect(':');
      members.put(name, value(level + 1));
      skipSpace();
    }
    at++;
    return members;
  }

  private List<Object> list(int level) {
    List<Object> items = new ArrayList<>();
    at++;
    skipSpace();
    while (peek() != ']') {
      if (!items.isEmpty()) expect(',');
      items.add(value(level + 1));
      skipSpace();
    }
    at++;
    return items;
  }

  private String string() {
    expect('"');
    StringBuilder read = new StringBuilder();
    while (peek() != '"') {
      char next = text.charAt(at++);
      if (next < ' ') throw unexpected();
      read.append(next == '\\' ? escaped() : next);
    }
    at++;
    return read.toString();
  }

  private char escaped() {
    char name = peek();
    at++;
    if (name == 'u') {
      // By character: parseInt takes a sign, and digits of other scripts.
      int code = 0;
      for (int digit = 0; digit < 4; digit++, at++) {
        int value = "0123456789abcdef".indexOf(Character.toLowerCase(peek()));
        if (value < 0) throw unexpected();
        code = code * 16 + value;
      }
      return (char) code;
    }
    int known = "\"\\/bfnrt".indexOf(name);
    if (known < 0) throw unexpected();
    return "\"\\/\b\f\n\r\t".charAt(known);
  }

  private BigDecimal number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    String read = text.substring(start, at);
    // BigDecimal takes more, such as +1 and 01.
    if (!read.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) throw unexpected();
    return new BigDecimal(read);
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw unexpected();
    at += word.length();
    return value;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  /** The next character. Throws at the end of the text. */
  private char peek() {
    if (at >= text.length()) throw unexpected();
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) throw unexpected();
    at++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("no JSON at character " + at);
  }

  /** Writes a value on one line. U+FFFD stands for half of a surrogate pair, at which some readers stop. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> members) {
      String between = "{";
      for (Map.Entry<?, ?> member : members.entrySet()) {
        write((Object) member.getKey(), out.append(between));
        write(member.getValue(), out.append(':'));
        between = ",";
      }
      out.append(members.isEmpty() ? "{}" : "}");
    } else if (value instanceof String text) {
      out.append('"');
      text.codePoints().forEach(point -> write(point, out));
      out.append('"');
    } else {
      out.append(value);
    }
  }

  private static void write(int point, StringBuilder out) {
    boolean isHalf = point >= 0xd800 && point <= 0xdfff;
    if (point == '"' || point == '\\') out.append('\\').append((char) point);
    else if (point < ' ' || point == 0x2028 || point == 0x2029) out.append(String.format("\\u%04x", point));
    else out.appendCodePoint(isHalf ? 0xfffd : point);
  }
}
