import type { ApprovalScopeInit } from "@askwire/server";

/**
 * The widest scope of an approval for the session. A provably plain command covers further plain commands of its
 * program; every other command covers only the same text.
 * Equal scopes are allowed alike, so that doubt always means the same text.
 *
 * @param platform the platform whose shell reads the command. Default: this one.
 */
export function commandScope(
  command: string,
  platform: NodeJS.Platform = process.platform,
): ApprovalScopeInit & { readonly value: string } {
  const words = platform === "win32" ? undefined : plainWords(command);
  const program = words?.[0]?.text ?? "";
  const isQuoted = words?.[0]?.isQuoted ?? true;
  const args = words?.slice(1).map(({ text }) => text) ?? [];
  const isPlain = !isQuoted && NAME.test(program) && !runsOthers(program, args);
  return isPlain ? { kind: "program", value: program } : { kind: "command", value: command };
}

/** A program found by its name. A path may lead to another program of that name; `=` makes a variable. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.+-]*$/;

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Characters that every shell takes literally, or as a part of a path. */
const LITERAL = /[A-Za-z0-9_@%+=:,./~^-]/;

/**
 * The words of a command with literal words only, in quotes or not. Undefined for all else: chains, pipes,
 * redirections, line ends, substitutions, variables, patterns, escapes, comments, and an open quote.
 */
function plainWords(command: string): Word[] | undefined {
  // A blank of another kind is part of a word.
  const text = command.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === " " || text[at] === "\t") {
      at += 1;
      continue;
    }
    let word = "";
    let isQuoted = false;
    while (at < text.length && text[at] !== " " && text[at] !== "\t") {
      const c = text[at] as string;
      const end = c === "'" || c === '"' ? text.indexOf(c, at + 1) : at;
      if (end === -1) return undefined;
      const piece = end === at ? c : text.slice(at + 1, end);
      if (end === at ? !LITERAL.test(c) : c === '"' && /[$`\\!]/.test(piece)) return undefined;
      if (end > at) isQuoted = true;
      word += piece;
      at = end + 1;
    }
    words.push({ text: word, isQuoted });
  }
  return words;
}

/** Reports if a program runs commands from its arguments, its input or a file. Such a run is not the program's own. */
function runsOthers(name: string, args: readonly string[]): boolean {
  const program = name
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|com)$/, "")
    .replace(/-?\d+(\.\d+)*$/, "");
  if (program === "" || runners.has(program)) return true;
  if (program === "git" && !isPlainGit(args)) return true;
  const handsOver = handingOver.get(program);
  return handsOver !== undefined && args.some((arg) => handsOver.test(arg));
}

/** Arguments that hand a command, or a file to overwrite, to a program that otherwise only looks. */
const handingOver: ReadonlyMap<string, RegExp> = new Map([
  ["find", /^-(exec|ok|delete|fprint|fls)/],
  ["fd", /^(-[a-z]*[xX]|--exec)/],
  ["fdfind", /^(-[a-z]*[xX]|--exec)/],
  ["rg", /^--(pre|hostname-bin)/],
  ["sort", /^(-[a-zA-Z]*[oT]|--(co|o))/],
  ["split", /^--f/],
  ["prettier", /^--(plugin|config)/],
  ["pandoc", /^(-[a-zA-Z]*[FL]|--(fi|lu|pdf))/],
  ["bat", /^--p/],
  ["ag", /^--pager/],
  ["sdiff", /^--d/],
  ["diff3", /^--d/],
  ["yt-dlp", /^--(exec|netrc-cmd)/],
  ["printf", /^-v/],
  ["test", /^-[vR]$/],
]);

const gitCommands = new Set(
  (
    "add annotate blame branch cat-file checkout cherry cherry-pick commit describe diff fetch grep log ls-files " +
    "ls-remote ls-tree merge merge-base pull push rebase reflog remote reset restore rev-list rev-parse revert rm " +
    "shortlog show stash status switch tag version"
  ).split(" "),
);

/**
 * Recognizes git without an alias, a configuration or a repository of its own, and without arguments that run a
 * command.
 */
function isPlainGit([command = "", ...args]: readonly string[]): boolean {
  return gitCommands.has(command) && !args.some((arg) => GIT_HANDS_OVER.test(arg));
}

const GIT_HANDS_OVER = /^(-[a-zA-Z]*[xO]|--(e$|e=|ex|op|ou|o$|up|u$|rec)|[a-z]+::)/;

/** Programs that run others, or code. A name with a version, such as `python3.12`, counts without the version. */
const runners = new Set(
  [
    // Shells and their builtins. A name may run a command there too, as `let 'a[$(command)]'` does.
    "sh ash bash csh dash elvish fish ksh mksh nu osh pwsh powershell rbash tcsh xonsh yash ysh zsh cmd busybox toybox",
    "alias bg bind break builtin caller case command compgen complete compopt continue coproc declare disown do done",
    "elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs let local",
    "logout mapfile read readarray readonly return select set shift shopt source suspend then time trap typeset unalias",
    "unset until wait while",
    // Programs that run the rest of their line: changed, later, often, as another user or elsewhere.
    "chroot chrt doas env expect fakeroot find2perl flock gosu ionice ltrace nice nohup nsenter parallel perf pkexec",
    "bwrap catchsegv dbus-run-session fakechroot faketime firejail flatpak run-parts ssh-agent xvfb-run",
    "prlimit proxychains runuser screen script setarch setpriv setsid start-stop-daemon stdbuf strace su sudo",
    "systemd-run taskset timeout gtimeout tmux torsocks unbuffer unshare valgrind watch watchexec entr xargs gxargs",
    "chpst chronic concurrently dumb-init forever help2man hyperfine ifne ip ldd mispipe nodemon numactl pee pm rlwrap rr",
    "systemctl tini wine",
    "at batch crontab ansible docker kubectl lxc mosh nerdctl nix nix-shell podman rsh rsync scp sftp ssh vagrant wsl",
    "adb ansible-playbook colima crictl ctr docker-compose fab flyctl gcloud gh glab heroku helm limactl machinectl",
    "minikube multipass oc podman-compose pulumi salt terraform tofu",
    // Languages.
    "awk gawk mawk nawk bun clojure crystal dart deno elixir emacs erl escript ghc ghci gdb groovy guile irb java",
    "jshell julia kotlin lldb lua luajit m4 node nodejs ocaml octave osascript perl php psql mysql pypy python pythonw",
    "rscript ruby scala sed gsed sqlite swift tclsh ts-node tsx wish zig",
    "bb chez clisp clj fennel ghci-ng janet jruby jython matlab mongo mongosh octave-cli r racket raku sage sbcl scheme",
    // Programs that run the tasks of a project.
    "ant bazel bundle cargo cmake composer conda corepack direnv dotnet flutter go gradle gradlew jest just lerna make",
    "gmake maven meson mise mix mocha mvn mvnw ninja npm npx nx pdm pip pipenv pipx pnpm poetry pytest rake rustup sbt",
    "task tox turbo uv uvx vite vitest yarn",
    "asdf ava babel brew bunx cabal cypress dune ember esbuild eslint fnm gem grunt gulp hatch invoke jasmine karma",
    "lefthook nbb ng nox nvm opam playwright poe pre-commit pyenv rbenv rebar rollup rspec scons stack storybook stylelint",
    "tap volta waf webpack xcodebuild",
    // Programs with commands of their own, beyond their names.
    "ed ex less man more nano nvim tar bsdtar gtar vi view vim wget zip apt apt-get dpkg gpg hg jj svn nc ncat socat",
    "cc c++ clang clang++ cpp dc exiftool fzf g++ gcc gfortran gnuplot gs javac kotlinc ld mail mailx prename rename rustc",
    "emacsclient gvim latex latexmk lualatex luatex nmap pdflatex pdftex protoc rvim tcpdump tex tshark vimdiff xelatex",
  ]
    .join(" ")
    .split(" "),
);
