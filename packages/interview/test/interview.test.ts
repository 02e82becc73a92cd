import { describe, expect, test } from "vitest";
import type { Facts } from "../src/facts.js";
import {
  doneText,
  introText,
  nextQuestion,
  openInterview,
  recordAnswer,
  renderFiles,
} from "../src/interview.js";
import { parseQuestionnaire } from "../src/questionnaire.js";

const text = `
askwire: interview/1
title: Paint
intro: |
  {% if owner %}
  Hello {{ owner.name }}.
  {% endif %}
  Let us paint.
facts: { owner: { json: owner.json } }
questions:
  - id: rooms
    ask: Which rooms?
    multi_select: true
    options: [Kitchen, { label: Hall, value: hall }, { label: "{{ owner.name }}'s room", when: owner }]
    default: [hall]
  - id: color
    ask: "Which color for {{ rooms | join: ' and ' }}?"
    header: Color
    when: rooms.size > 0
    options:
      - { label: White (Recommended), description: "Fits {{ rooms | first }}", value: white }
      - Blue
    default: white
  - id: shade
    ask: Which shade of {{ color }}?
    when: color != "white"
  - id: never
    ask: Never?
    options: [{ label: Gone, when: "false" }]
    default: as agreed
files:
  - path: "{{ color | downcase }}.txt"
    when: rooms.size > 0
    template: |
      rooms:
      {% for room in rooms %}
        {% # a remark %}
        {% if room == "hall" %}
        - the hall
        {% else %}
        - {{ room }}
        {% endif %}
      {% endfor %}
      {% raw %}
      {{ literally }}
        {% if this %}
      {% endraw %}
      shade: {{ shade }}, {{ never }}
done: "{{ written | join: ', ' }} done"
`;

function start(facts: Facts = { owner: null }) {
  return openInterview(parseQuestionnaire(text, "paint.yaml"), facts);
}
const pick = (...selected: string[]) => ({ selected });

describe("an interview", () => {
  test("an interview asks one question at a time, each from the answers before it", () => {
    let interview = start({ owner: { name: "Ada" } });
    expect(introText(interview)).toBe("Hello Ada.\nLet us paint.");
    expect(nextQuestion(interview)?.options.map((option) => option.label)).toEqual([
      "Kitchen",
      "Hall",
      "Ada's room",
    ]);
    interview = recordAnswer(interview, "rooms", { selected: ["Hall"], own_text: " Attic " });
    expect(nextQuestion(interview)).toEqual({
      id: "color",
      question: "Which color for hall and Attic?",
      header: "Color",
      options: [
        { label: "White (Recommended)", description: "Fits hall", value: "white" },
        { label: "Blue", value: "Blue" },
      ],
      multi_select: false,
    });
    interview = recordAnswer(interview, "color", pick("Blue"));
    expect(nextQuestion(interview)).toEqual({
      id: "shade",
      question: "Which shade of Blue?",
      options: [],
      multi_select: false,
    });
    interview = recordAnswer(interview, "shade", { selected: [], own_text: "sky" });
    expect(nextQuestion(interview)).toBeUndefined();
    expect(renderFiles(interview)).toEqual([
      {
        path: "blue.txt",
        text: "rooms:\n  - the hall\n  - Attic\n{{ literally }}\n  {% if this %}\nshade: sky, as agreed\n",
      },
    ]);
    expect(doneText(interview, ["blue.txt"])).toBe("blue.txt done");
  });

  test("an interview continues with the defaults of what was skipped or not asked", () => {
    let interview = recordAnswer(start(), "rooms", "skipped");
    expect(nextQuestion(interview)?.question).toBe("Which color for hall?");
    interview = recordAnswer(interview, "color", "skipped");
    expect(nextQuestion(interview)).toBeUndefined();
    expect(renderFiles(interview)[0]?.path).toBe("white.txt");
  });

  test("an interview does not accept an answer without rooms, and then writes nothing", () => {
    const interview = recordAnswer(start(), "rooms", pick());
    expect(nextQuestion(interview)).toBeUndefined();
    expect(renderFiles(interview)).toEqual([]);
  });

  test("a state of an interview does not change when the next answer is recorded", () => {
    const first = start();
    recordAnswer(first, "rooms", pick("Hall"));
    expect(nextQuestion(first)?.id).toBe("rooms");
  });

  test("an interview refuses an answer that does not fit", () => {
    const first = start();
    expect(() => recordAnswer(first, "color", pick("Blue"))).toThrow('expected an answer to "rooms"');
    expect(() => recordAnswer(first, "rooms", pick("Cellar"))).toThrow('"Cellar" is no option of "rooms"');
    const second = recordAnswer(first, "rooms", pick("Hall"));
    expect(() => recordAnswer(second, "color", pick())).toThrow("has one answer, found 0");
    expect(() => recordAnswer(second, "color", { selected: ["Blue"], own_text: "red" })).toThrow("found 2");
    expect(() => renderFiles(second)).toThrow('"color" is open');
  });

  test("an interview names the option whose label comes twice, and the file whose path escapes", () => {
    expect(() => nextQuestion(start({ owner: { name: "" } }))).not.toThrow();
    const twice = text.replace("label: Hall,", "label: '{{ owner.name }}',");
    const interview = openInterview(parseQuestionnaire(twice, "paint.yaml"), { owner: { name: "Kitchen" } });
    expect(() => nextQuestion(interview)).toThrow(
      'paint.yaml:14:33: questions[0].options[1].label: two options have the label "Kitchen"',
    );
    let escaping = recordAnswer(start(), "rooms", pick("Hall"));
    escaping = recordAnswer(escaping, "color", { selected: [], own_text: "../../etc/x" });
    escaping = recordAnswer(escaping, "shade", "skipped");
    expect(() => renderFiles(escaping)).toThrow(
      /^paint.yaml:\d+:\d+: files\[0\]\.path: expected a path inside/,
    );
  });

  test("an interview never runs what an answer or a fact says", () => {
    let interview = start({ owner: { name: "{{ 7 | times: 6 }}{% if %}" } });
    expect(introText(interview)).toContain("Hello {{ 7 | times: 6 }}{% if %}.");
    interview = recordAnswer(interview, "rooms", { selected: [], own_text: "{{ rooms.constructor }}" });
    expect(nextQuestion(interview)?.question).toBe("Which color for {{ rooms.constructor }}?");
  });

  test("an interview shows templates nothing but own properties", () => {
    const source = `
askwire: interview/1
title: T
facts: { a: { json: a.json } }
questions: [{ id: q, ask: "[{{ a.constructor }}{{ a.__proto__ }}{{ a.list.map }}]" }]
`;
    const interview = openInterview(parseQuestionnaire(source, "q"), { a: { list: [] } });
    expect(nextQuestion(interview)?.question).toBe("[]");
  });
});
