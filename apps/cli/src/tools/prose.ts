/** Describes `Shell` to the model. */
export const shell = `Run a command in a shell, in the work directory, and get what it prints and its exit code.

- The person is asked to approve it. For the session they can approve a program that only reads, such as \`git\`, \`ls\` or \`grep\`, in plain commands below the work directory. All else is asked about each time: so are chains, pipes, redirections and variables.
- Standard input is empty: use flags that answer for you (\`--yes\`, \`-m\`), and no editors or pagers.
- Standard output and standard error come together, in order. Of long output the beginning and the end are kept; narrow it with \`grep\`, \`head\` or \`tail\`, or write it to a file and read that in parts.
- After \`timeout\` seconds the person is asked whether to keep waiting; it is stopped if they do not want to, or if nobody can be asked. Whatever it leaves running when it ends is stopped too, so do not start servers with it.
- Nothing is kept from one call to the next: neither the folder nor variables. Chain commands with \`&&\`.
- To read, write or change files use ReadFile, WriteFile and StrReplaceFile instead, which show the person what changes.
`;

/** Describes `ReadFile` to the model. */
export const readFile = `Read lines of a text file in the work directory. Each comes with its number and a tab before it, which are not part of the file.

- By default the first 1000 lines; where a file is longer, go on with \`line_offset\`; a negative one counts from the end.
- Lines over 2000 characters are cut, and so is an answer over 100,000 characters: the message says what was cut.
- Files that are no UTF-8 text, folders, devices and pipes are refused, and so are paths that lead outside the work directory.
- Read a file before you change it.
`;

/** Describes `WriteFile` to the model. */
export const writeFile = `Write a text file in the work directory, or add to its end.

- \`overwrite\` (the default) makes the file or replaces all of it; \`append\` adds to what is there. Missing folders are made.
- The person sees the difference and is asked to approve it, unless they approved edits for the session.
- To change parts of a file use StrReplaceFile: the difference is shorter and nothing else can be lost.
- Files over 1 MiB, files that are no UTF-8 text, what is in \`.git\`, and paths that lead outside the work directory are refused.
`;

/** Describes `StrReplaceFile` to the model. */
export const strReplaceFile = `Replace texts in a file of the work directory.

- \`old\` is found exactly as it is written, with its white space and line ends, and without the numbers that ReadFile puts before the lines. It must occur once: add lines around it, or set \`replace_all\`.
- Several edits of one file belong into one call, as a list; they are made in order, each on what the one before left. If one of them does not fit, none is made.
- The person sees the difference and is asked to approve it, unless they approved edits for the session.
- Files over 1 MiB, files that are no UTF-8 text, what is in \`.git\`, and paths that lead outside the work directory are refused.
`;

/** Describes `SetTodoList` to the model. */
export const setTodoList = `Set the list of what is to do, which the person sees. It replaces the list before; without \`todos\` it tells what the list is.

- Use it for work of several steps: set the list first, then again as steps begin and end. Leave it out for a single step.
- Keep one item \`in_progress\` at a time, and set it to \`done\` only when it is.
`;
