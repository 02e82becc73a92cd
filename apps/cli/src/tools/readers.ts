/** Flags of a program that make it neither write, nor run another, nor read files that a file names. */
interface Reader {
  /** Letters of flags without a value, which may stand together. */
  readonly letters?: string;
  /** Letters of flags with a value, in the same word or as the next. */
  readonly valued?: string;
  /** Names of long flags, with `=` for those whose value follows that sign. */
  readonly names?: string;
  /**
   * The words that are no flags: paths, a pattern and then paths, or text that is only printed. `none` allows no word,
   * and a regular expression allows the words that match it.
   */
  readonly words: "none" | "paths" | "pattern" | "text" | RegExp;
  /** Set if a number, such as `-5`, is a flag. */
  readonly hasCount?: true;
}

/**
 * Reports if a command is a known reader with flags known to be harmless, on paths below the folder that it starts in.
 * All that is not listed is not: a flag, an abbreviation of one, an absolute path, `~`, and a path with `..`.
 */
export function onlyReads(program: string, args: readonly string[]): boolean {
  if (program === "find") return isPlainFind(args);
  const [command = "", ...rest] = args;
  const reader = program === "git" ? gitReaders.get(command) : readers.get(program);
  return reader !== undefined && fits(reader, program === "git" ? rest : args);
}

function fits(reader: Reader, args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const flagged = end === -1 ? args : args.slice(0, end);
  const words = end === -1 ? [] : args.slice(end + 1);
  for (let at = 0; at < flagged.length; at += 1) {
    const word = flagged[at] as string;
    if (word.startsWith("--")) {
      if (!fitsName(reader, word.slice(2))) return false;
    } else if (!word.startsWith("-") || word === "-") {
      words.push(word);
    } else if (!(reader.hasCount && /^-\d+$/.test(word))) {
      const value = valuePlace(reader, word.slice(1));
      if (value === "unknown") return false;
      // The value is looked at as a path too, since the flag may have none in another make of the program.
      if (value === "next" && !isBelow(flagged[++at] ?? "/")) return false;
    }
  }
  return fitWords(reader, words, flagged);
}

/** Finds the value that one of the letters needs: in the same word, or the next. A letter may be unknown. */
function valuePlace(
  { letters = "", valued = "" }: Reader,
  given: string,
): "none" | "here" | "next" | "unknown" {
  for (const [index, letter] of [...given].entries()) {
    if (valued.includes(letter)) return index === given.length - 1 ? "next" : "here";
    if (!letters.includes(letter)) return "unknown";
  }
  return "none";
}

function fitsName({ names = "" }: Reader, flag: string): boolean {
  const at = flag.indexOf("=");
  // With the placeholder %G git asks another program about signatures.
  if (at !== -1 && flag.slice(at).includes("%G")) return false;
  return names.split(" ").includes(at === -1 ? flag : flag.slice(0, at + 1));
}

/** Flags that stand for the pattern, so that every word is a path. */
const INSTEAD_OF_PATTERN = /^(-[A-Za-z0-9.]*e|--regexp=|--files$)/;

function fitWords({ words }: Reader, given: readonly string[], flags: readonly string[]): boolean {
  if (words === "none") return given.length === 0;
  if (words === "text") return true;
  if (words instanceof RegExp) return given.every((word) => words.test(word));
  const isFirstPattern = words === "pattern" && !flags.some((flag) => INSTEAD_OF_PATTERN.test(flag));
  return given.slice(isFirstPattern ? 1 : 0).every(isBelow);
}

/** Reports if a path stays below the folder by its text. A link may still lead out. */
const isBelow = (path: string) => !/^[/~]/.test(path) && !path.split("/").includes("..");

/** Words of `find` that look, with the number of their values. */
const findWords: ReadonlyMap<string, number> = new Map([
  ..."a and not o or print print0 prune empty ls quit true false xdev mount daystart depth P noleaf"
    .split(" ")
    .map((word) => [`-${word}`, 0] as const),
  ..."name iname path ipath wholename iwholename regex iregex regextype type maxdepth mindepth size"
    .split(" ")
    .map((word) => [`-${word}`, 1] as const),
  ..."mtime mmin atime amin ctime cmin perm printf links".split(" ").map((word) => [`-${word}`, 1] as const),
]);

function isPlainFind(args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as string;
    const values = findWords.get(word);
    if (values !== undefined) at += values;
    else if (word.startsWith("-") || !(word === "(" || word === ")" || isBelow(word))) return false;
  }
  return true;
}

const SUMS: Reader = { letters: "btz", names: "binary text tag zero", words: "paths" };
const GREP: Reader = {
  letters: "EFGPivwxcLlnHhoqsrabIy",
  valued: "emABC",
  names:
    "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case invert-match word-regexp line-regexp " +
    "count files-without-match files-with-matches max-count= only-matching quiet no-messages line-number with-filename " +
    "no-filename recursive text include= exclude= exclude-dir= after-context= before-context= context= color= color",
  words: "pattern",
};

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["echo", { letters: "neE", words: "text" }],
  ["pwd", { letters: "LP", words: "none" }],
  ["whoami", { words: "none" }],
  ["uname", { letters: "asnrvmpio", words: "none" }],
  ["date", { letters: "u", valued: "d", names: "utc iso-8601 iso-8601= rfc-3339= date=", words: /^\+/ }],
  ["id", { letters: "ugGnr", words: "none" }],
  ["which", { letters: "as", words: "text" }],
  [
    "ls",
    {
      letters: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
      names:
        "all almost-all color color= human-readable recursive reverse size sort= time= time-style= full-time",
      words: "paths",
    },
  ],
  ["cat", { letters: "AbeEnstTuv", names: "number show-all show-ends show-tabs", words: "paths" }],
  ["head", { letters: "qvz", valued: "nc", names: "lines= bytes= quiet", words: "paths", hasCount: true }],
  ["tail", { letters: "qvz", valued: "nc", names: "lines= bytes= quiet", words: "paths", hasCount: true }],
  ["wc", { letters: "clmLw", names: "bytes chars lines words max-line-length", words: "paths" }],
  ["nl", { letters: "p", valued: "bdfhilnsvw", words: "paths" }],
  ["stat", { letters: "Lt", valued: "c", names: "dereference format= printf= terse", words: "paths" }],
  ["file", { letters: "biLhkNr", names: "brief mime mime-type mime-encoding", words: "paths" }],
  [
    "du",
    {
      letters: "0abchkmsSx",
      valued: "dt",
      names: "max-depth= summarize total apparent-size",
      words: "paths",
    },
  ],
  ["df", { letters: "ahHikmPT", names: "human-readable print-type", words: "paths" }],
  [
    "tree",
    { letters: "adfipshugDFqNrtcUCnJ", valued: "LPI", names: "dirsfirst noreport gitignore", words: "paths" },
  ],
  ["basename", { letters: "az", valued: "s", words: "text" }],
  ["dirname", { letters: "z", words: "text" }],
  ["realpath", { letters: "emLPqsz", words: "paths" }],
  ["readlink", { letters: "femnqsvz", words: "paths" }],
  ["cmp", { letters: "bls", valued: "n", words: "paths" }],
  ["comm", { letters: "123z", words: "paths" }],
  ["cut", { letters: "sz", valued: "bcdf", names: "delimiter= fields= output-delimiter=", words: "paths" }],
  ["sort", { letters: "bdfghinMrRVcCmsuz", valued: "kt", names: "unique reverse key=", words: "paths" }],
  [
    "diff",
    {
      letters: "abBcdeEiNpqrstuwy",
      valued: "CUW",
      names: "brief color color= unified unified= recursive side-by-side ignore-all-space strip-trailing-cr",
      words: "paths",
    },
  ],
  ["cksum", { words: "paths" }],
  ["md5sum", SUMS],
  ["sha1sum", SUMS],
  ["sha256sum", SUMS],
  ["sha512sum", SUMS],
  ["grep", GREP],
  ["egrep", GREP],
  ["fgrep", GREP],
  [
    "rg",
    {
      letters: "iSsnNlcvwxFUoqHIPa0pu.",
      valued: "eABCmtTg",
      names:
        "ignore-case smart-case line-number files files-with-matches files-without-match count invert-match hidden " +
        "word-regexp fixed-strings multiline only-matching no-ignore no-heading heading json type= type-not= glob= " +
        "iglob= regexp= context= after-context= before-context= max-count= max-depth= color= sort= stats vimgrep",
      words: "pattern",
    },
  ],
]);

/** The flags by which git shows commits and changes, without those that write a file or run a program. */
const SHOWS: Reader = {
  letters: "psuwbMCqzigEFPm",
  valued: "UnSGL",
  names:
    "oneline stat stat= numstat shortstat dirstat summary name-only name-status cached staged color color= no-color " +
    "decorate decorate= graph all author= committer= since= until= after= before= grep= pretty= format= max-count= skip= " +
    "follow no-merges merges first-parent reverse date= abbrev-commit patch no-patch raw word-diff word-diff= " +
    "ignore-all-space ignore-space-change ignore-blank-lines diff-filter= full-history topo-order date-order branches " +
    "tags remotes unified= merge-base minimal patience histogram check find-renames relative",
  words: "paths",
  hasCount: true,
};

/** Commands of git that look at the repository. */
const gitReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    "status",
    {
      letters: "sbvuz",
      names:
        "short branch porcelain porcelain= long ignored ignored= untracked-files untracked-files= show-stash",
      words: "paths",
    },
  ],
  ["log", SHOWS],
  ["diff", SHOWS],
  ["show", SHOWS],
  ["shortlog", { letters: "sne", names: "summary numbered email", words: "paths" }],
  ["blame", { letters: "wsecflMC", valued: "L", names: "porcelain line-porcelain date=", words: "paths" }],
  ["grep", GREP],
  [
    "ls-files",
    {
      letters: "cdmoistkuz",
      names: "cached deleted modified others exclude-standard stage unmerged",
      words: "paths",
    },
  ],
  ["ls-tree", { letters: "drtlz", names: "name-only long full-tree", words: "paths" }],
  [
    "rev-parse",
    { names: "abbrev-ref short short= verify quiet show-toplevel show-prefix git-dir", words: "paths" },
  ],
  ["rev-list", { names: "count all max-count= since= until= no-merges merges first-parent", words: "paths" }],
  ["merge-base", { letters: "a", names: "all is-ancestor fork-point", words: "paths" }],
  ["describe", { names: "tags all long always dirty abbrev= match= contains exact-match", words: "paths" }],
  ["branch", { letters: "arv", names: "all remotes show-current verbose list no-color", words: "none" }],
  ["tag", { letters: "ln", names: "list", words: "none" }],
  ["remote", { letters: "v", names: "verbose", words: "none" }],
]);
