#!/bin/sh
# Says how a version is released, once a person has decided it.
#
#   sh examples/ask.sh                    asks at the terminal
#   sh examples/ask.sh --answers FILE     takes the answers from a file
askwire="$(dirname "$0")/../node_modules/.bin/askwire"

report=$("$askwire" ask "$@" <<'QUESTIONS'
{
  "questions": [
    {
      "question": "Which part of the version goes up?",
      "header": "Version",
      "options": [
        { "label": "Patch", "description": "Corrections only" },
        { "label": "Minor", "description": "Something new" }
      ]
    },
    { "question": "Where is it announced?", "options": ["Mail", "Chat"], "multi_select": true }
  ]
}
QUESTIONS
)
status=$?
case $status in
  0) ;;
  3) echo "Then there is no release."; exit 0 ;;
  4) echo "Nobody could be asked, so there is no release." >&2; exit 1 ;;
  *) exit $status ;;
esac

# One answer out of the report; empty if the question was skipped.
answer() {
  node -p 'JSON.parse(process.argv[1]).answers[process.argv[2]] ?? ""' "$report" "$1"
}

part=$(answer "Which part of the version goes up?")
places=$(answer "Where is it announced?")
echo "${part:-Patch} release, announced by: ${places:-nobody}."
