"""Loads examples of each format with `datasets` and renders them with chat templates.

Usage: load_formats.py FOLDER_OF_EXPORTS TRL_WHEEL
"""

import json
import sys
import zipfile
from pathlib import Path

from datasets import load_dataset
from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

# The templates of the models, as TRL ships them.
TEMPLATES = {"Qwen 3": "trl/chat_templates/qwen3.jinja", "Llama 3.1": "trl/chat_templates/llama3_1.jinja"}


def raise_exception(message):
    raise TemplateError(message)


def read_templates(wheel):
    """The templates by their model, in the environment that `transformers` gives them."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value, **options: json.dumps(value, ensure_ascii=False, **options)
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda form: "1 January 2026"
    with zipfile.ZipFile(wheel) as files:
        return {name: environment.from_string(files.read(path).decode()) for name, path in TEMPLATES.items()}


def without_nones(value):
    """A value without the members that the loader has filled in."""
    if isinstance(value, dict):
        return {key: without_nones(member) for key, member in value.items() if member is not None}
    return [without_nones(item) for item in value] if isinstance(value, list) else value


def called(value):
    """The calls of a message of LLaMA-Factory, after its thought."""
    calls = json.loads(value.rsplit("</think>", 1)[-1])
    return [
        {"type": "function", "function": call} for call in (calls if isinstance(calls, list) else [calls])
    ]


def from_turns(row):
    """The messages of a row with `conversations`."""
    messages = [{"role": "system", "content": row["system"]}] if row.get("system") else []
    for turn in row["conversations"]:
        kind, value = turn["from"], turn["value"]
        if kind == "function_call":
            messages.append({"role": "assistant", "content": "", "tool_calls": called(value)})
        else:
            roles = {"system": "system", "human": "user", "observation": "tool", "tool": "tool"}
            messages.append({"role": roles.get(kind, "assistant"), "content": value})
    return messages


CHATS = {
    "trl": lambda row: row["prompt"] + row["completion"],
    "openai": lambda row: row["messages"],
    "axolotl": lambda row: row["messages"],
    "llamafactory": from_turns,
    "sharegpt": from_turns,
}


def tools_of(row):
    tools = row.get("tools")
    tools = json.loads(tools) if isinstance(tools, str) and tools else tools
    return [tool if "function" in tool else {"type": "function", "function": tool} for tool in tools or []]


def arguments_as_objects(messages):
    """Messages as templates read them: the OpenAI format has arguments as text."""
    for message in messages:
        for call in message.get("tool_calls") or []:
            function = call["function"]
            if isinstance(function["arguments"], str):
                function["arguments"] = json.loads(function["arguments"])
    return messages


def answer_in(messages):
    """Words that a rendering must have: those of the last message, without its thought."""
    last = messages[-1]
    calls = last.get("tool_calls") or []
    return calls[0]["function"]["name"] if calls else last["content"].rsplit("</think>", 1)[-1].strip()


def check(name, file, templates):
    rows = load_dataset("json", data_files=str(file), split="train").to_list()
    written = [json.loads(line) for line in file.read_text().splitlines()]
    if [without_nones(row) for row in rows] != [without_nones(row) for row in written]:
        print(f"{name}: the loaded rows differ from the lines")
        return False
    print(f"{name}: {len(rows)} rows, as they were written")
    # The loader fills members that other rows have: templates take a missing one and one of `None` for the same.
    isRight = True
    for model, template in templates.items():
        rendered = 0
        for row in map(without_nones, rows):
            messages = arguments_as_objects(CHATS[name](row))
            try:
                text = template.render(messages=messages, tools=tools_of(row) or None, bos_token="", eos_token="")
            except TemplateError as refused:
                print(f"{name}: skipped a row for {model}, whose template refuses it: {refused}")
                continue
            rendered += 1
            if answer_in(messages) not in text:
                print(f"{name}: {model} does not have the answer {answer_in(messages)!r}")
                isRight = False
        print(f"{name}: {rendered} of {len(rows)} rendered for {model}")
        isRight = isRight and rendered > 0
    return isRight


def main(folder, wheel):
    templates = read_templates(wheel)
    results = [check(name, Path(folder) / f"{name}.jsonl", templates) for name in CHATS]
    sys.exit(0 if all(results) else 1)


main(*sys.argv[1:])
