/** An interview of one question, whose answer is written into a file. */
export const nameIt = `askwire: interview/1
title: Name it
questions:
  - { id: name, ask: Which name?, options: [{ label: Ada }, { label: Grace }] }
files:
  - { path: name.txt, template: "{{ name }}" }
`;
