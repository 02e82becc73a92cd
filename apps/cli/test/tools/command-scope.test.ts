import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandScope } from "../../src/tools/command-scope.js";

/** The program whose further commands are covered; undefined where only this call is. */
const covers = (command: string, platform: NodeJS.Platform = "linux") =>
  commandScope(command, platform)?.value;

describe("a reader that is approved for the session (P-XAO-7)", () => {
  test.each([
    ["git status", "git"],
    ["ls", "ls"],
    ["git diff HEAD~1 main^ -- src", "git"],
    ["  git log --oneline -5  \n", "git"],
    ["git log --grep='costs $5 `now` \\ #1' --format='%h %s'", "git"],
    ["git log -n 3 --since=yesterday main..dev", "git"],
    ["git branch -a", "git"],
    ["ls -la src/in", "ls"],
    ["cat -- -odd-name", "cat"],
    ["head -20 a.txt", "head"],
    ["tail -n 5 a.txt", "tail"],
    ["sort -t , -k2n a.csv", "sort"],
    ["find . -name '*.ts' -type f -not -path './node_modules/*'", "find"],
    ["rg --type=ts 'a|b' src", "rg"],
    ["rg --files src", "rg"],
    ["grep -rn '/api/users' src", "grep"],
    ["grep -e a -e b src", "grep"],
    ["echo 'it''s | done; really (& truly) > no'", "echo"],
    ["date -u +%Y", "date"],
  ])("approving %j for the session covers further commands of %s (P-XAO-7)", (command, program) => {
    expect(covers(command)).toBe(program);
  });

  test("two spellings of one program cover the same, and another program does not (P-XAO-7)", () => {
    expect(covers("git log")).toEqual(covers("git   status"));
    expect(covers("cat a")).not.toEqual(covers("head a"));
  });
});

describe("commands that are approved for their call alone (P-XAO-7)", () => {
  test.each([
    ["a chain", "git status && rm -rf /"],
    ["a list", "git status; rm -rf /"],
    ["an alternative", "git status || rm -rf /"],
    ["the background", "git status & rm -rf /"],
    ["a pipe", "git log | sh"],
    ["a pipe with errors", "git log |& sh"],
    ["a second line", "git status\nrm -rf /"],
    ["a carriage return", "git status\rrm"],
    ["a substitution", "git log $(rm -rf /)"],
    ["a substitution in quotes", 'git log "$(rm -rf /)"'],
    ["backticks", "git log `rm -rf /`"],
    ["backticks in quotes", 'git log "`rm -rf /`"'],
    ["a process substitution", "git diff <(rm -rf /)"],
    ["a redirection", "git log > ~/.bashrc"],
    ["a redirection without blanks", "git log>~/.bashrc"],
    ["a here-document", "git apply <<END\nx\nEND"],
    ["an input", "git apply < x"],
    ["a variable", "git log $HOME"],
    ["an ANSI quote", "git log $'\\x3b'"],
    ["an escape", "git log a\\;b"],
    ["an escaped line end", "git log \\\nx"],
    ["an escaped quote", 'git log "a\\"; rm -rf /; \\""'],
    ["a pattern", "git add *"],
    ["braces", "git log {a,b}"],
    ["a comment", "git log # rm"],
    ["a group", "(git log)"],
    ["braces around it", "{ git log; }"],
    ["a negation", "! git log"],
    ["a test", "[[ -e a ]]"],
    ["a variable before it", "GIT_PAGER=sh git log"],
    ["an assignment", "a=git"],
    ["an unfinished quote", "git log 'a"],
    ["an unfinished quote of the other kind", 'git log "a'],
    ["a quoted program", "'git' log"],
    ["a program in pieces", "gi't' log"],
    ["a path", "./git log"],
    ["an absolute path", "/usr/bin/git log"],
    ["a home", "~/git log"],
    ["a blank that is not one", "git\u00a0log"],
    ["a blank of Chinese", "git\u3000log"],
    ["a blank of Chinese before it", "\u3000git log"],
    ["a control character", "git \u001blog"],
    ["nothing", " "],
    ["a shell", "bash -c 'git log'"],
    ["another shell", "sh script"],
    ["sudo", "sudo git log"],
    ["env", "env git log"],
    ["a wrapper", "nohup git log"],
    ["a timeout", "timeout 5 git log"],
    ["a builtin", "eval git log"],
    ["exec", "exec git log"],
    ["command", "command git log"],
    ["a keyword", "time git log"],
    ["a function", "function git"],
    ["an alias", "alias git"],
    ["xargs", "xargs git"],
    ["a language", "python3.12 -c 'x'"],
    ["a language under Windows", "node.exe -e x"],
    ["awk", "awk 'BEGIN{system(1)}'"],
    ["sed", "sed s/a/b/e"],
    ["a task runner", "npm run build"],
    ["make", "make install"],
    ["R", "R -e 'system(1)'"],
    ["a container by another name", "docker-compose exec web sh"],
    ["a playbook", "ansible-playbook evil.yml"],
    ["a linter with code of its own", "eslint --config evil.js ."],
    ["a formatter with code of its own", "prettier --plugin=./evil.js a.ts"],
    ["a filter of documents", "pandoc -F ./evil a.md"],
    ["an editor that is there", "emacsclient -e x"],
    ["a measurement", "hyperfine evil"],
    ["a capture that runs", "tcpdump -z evil -G 1"],
    ["a loader", "ldd ./evil"],
    ["find that runs", "find . -exec rm {} +"],
    ["find that runs, quoted", "find . '-execdir' rm x"],
    ["find that deletes", "find . -delete"],
    ["a search that runs", "rg --pre sh x"],
    ["a sort that runs", "sort --compress-program=sh x"],
    ["a configuration of git", "git -c core.pager=sh log"],
    ["an alias of git", "git -c 'alias.x=!rm -rf /' x"],
    ["an alias of git that is there", "git undo"],
    ["git's configuration", "git config core.pager sh"],
    ["another repository", "git -C evil status"],
    ["a rebase that runs", "git rebase -x sh main"],
    ["a rebase that runs, shorter", "git rebase -ix sh main"],
    ["a rebase that runs, by name", "git rebase --exec=sh main"],
    ["a search of git that runs", "git grep --open-files-in-pager=sh x"],
    ["a fetch that runs", "git fetch --upload-pack=sh origin"],
    ["an abbreviation of it", "git fetch --upl=sh origin"],
    ["a remote that runs", "git fetch ext::sh"],
    ["a file that git writes", "git log --format=x --output=.git/config"],
    ["bisect", "git bisect run sh"],
    ["submodules", "git submodule foreach sh"],
    ["an alias of git that is like a command", "git statu"],
    ["a signature that another program checks", "git log --format=%G?"],
    ["a signature that is shown", "git log --show-signature"],
    ["a commit", "git commit -m x"],
    ["a push", "git push -u origin main"],
    ["a new branch", "git branch x"],
    ["a deleted branch", "git branch -D x"],
    ["a new tag", "git tag x"],
    ["a remote of another place", "git remote add x y"],
    ["an archive of another personality", "linux64 id"],
    ["a personality", "x86_64 id"],
    ["a log of another's output", "logsave log id"],
    ["another group", "sg root id"],
    ["an engine that is loaded", "openssl engine ./evil.so"],
    ["a measurement of tests", "coverage run evil.py"],
    ["a runner of tests", "ctest"],
    ["a package", "rpm --eval '%(id)'"],
    ["a document with code", "asciidoctor -r ./evil.rb a.adoc"],
    ["a script in another language", "zx evil.mjs"],
    ["a program that nobody knows", "evil"],
    ["a program whose name has a capital", "Ls"],
    ["a program with a letter of another alphabet", "l\u0455 a"],
    ["a program with a letter that is not seen", "l\u200bs a"],
    ["a full-width program", "\uff4c\uff53 a"],
    ["a flag that nobody knows", "ls --evil"],
    ["an abbreviation of a flag", "grep --recur x src"],
    ["a file that is written", "sort -o out a"],
    ["a file that is written, among other letters", "sort -nro out a"],
    ["a second word that is written", "uniq a out"],
    ["a tree that is written", "tree -o out"],
    ["a clock that is set", "date 010100002026"],
    ["a magic that is compiled", "file -C -m magic"],
    ["an archive that is unpacked", "rg -z x a"],
    ["a difference through another program", "diff -l a b"],
    ["names that a file gives", "wc --files0-from=names"],
    ["a file outside", "cat ../secret"],
    ["a file outside, further in", "cat src/../../secret"],
    ["a file outside, after the end of flags", "cat -- ../secret"],
    ["a file of the person", "cat ~/.ssh/id_ed25519"],
    ["a file of the machine", "cat /etc/passwd"],
    ["a file of another process", "cat /proc/1/environ"],
    ["a folder outside", "ls -la .."],
    ["a search outside", "grep -r key /home"],
    ["a search outside, with its pattern in a flag", "grep -e key /home"],
    ["a search outside, with its pattern in a flag behind", "grep /home -e key"],
    ["a search outside, with its pattern among letters", "grep -rne key /home"],
    ["a search outside, with its pattern in a long flag", "grep --regexp=key /home"],
    ["a list outside", "rg --files /home"],
    ["a walk outside", "find / -name x"],
    ["a comparison outside", "git diff --no-index a /etc/passwd"],
    ["a value in the place of a file outside", "sort -k /etc/passwd"],
    ["a value that is missing", "head -n"],
  ])("approving %s covers its call alone: %j", (_, command) => {
    expect(covers(command)).toBeUndefined();
  });

  test("every command is approved for its call alone in a Windows shell", () => {
    expect(covers("git status", "win32")).toBeUndefined();
  });
});

/** The programs whose flags are tried. Each is found where the tests run, or is left out. */
const READERS =
  "ls cat head tail wc nl stat file du df tree basename dirname realpath readlink cmp comm cut sort diff cksum md5sum " +
  "sha256sum grep egrep rg find date id uname which echo pwd";
const GIT_COMMANDS =
  "status log diff show shortlog blame grep ls-files ls-tree rev-parse rev-list merge-base describe branch tag remote";
/** Programs that others are known to run. */
const RUN_BY_OTHERS = "gzip xz bzip2 pr less more gpg sh cat-file evil ssh pager man diff3 zstd lz4";

test("a covered command writes nothing, and runs nothing else (P-XAO-7)", () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-cover-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [bin, work] = ["bin", "work"].map((name) => join(folder, name)) as [string, string];
  for (const path of [bin, work]) mkdirSync(path);
  const ran = join(folder, "ran");
  for (const name of RUN_BY_OTHERS.split(" ")) {
    const path = join(bin, name);
    writeFileSync(path, `#!/bin/bash\necho ${name} >> '${ran}'\n`);
    chmodSync(path, 0o755);
  }
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  for (const [name, text] of [
    ["a.txt", "one\ntwo\n"],
    ["b.txt", "two\nthree\n"],
  ] as const)
    writeFileSync(join(work, name), text);
  const made =
    "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm one && git status -s";
  expect(spawnSync("/bin/bash", ["-c", made], { cwd: work, env }).status).toBe(0);
  const content = () =>
    readdirSync(work, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("objects"))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith("/index"))
      .sort()
      .map((path) => `${path} ${readFileSync(path, "base64")}`)
      .join("\n");
  const before = content();

  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789."];
  const long = (
    "output=out output compress-program=evil pre=evil ext-diff textconv open-files-in-pager=evil files color=auto exec=evil " +
    "files0-from=a.txt recursive unified=2 regexp=o name-only format=%h%G? format=%h paginate show-signature set search-zip"
  ).split(" ");
  const flag = fc.oneof(
    fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 })
      .map((given) => `-${given.join("")}`),
    fc.constantFrom(...long).map((name) => `--${name}`),
    fc.constantFrom("-exec evil", "-delete", "-fprint out", "-name a.txt", "-print", "-ok evil", "-5"),
  );
  const word = fc.constantFrom("a.txt", "b.txt", ".", "out", "HEAD", "one", "evil", "--", "-", "2");
  const programs = [...READERS.split(" "), ...GIT_COMMANDS.split(" ").map((command) => `git ${command}`)];
  const command = fc
    .tuple(fc.constantFrom(...programs), fc.array(fc.oneof(flag, word), { maxLength: 4 }))
    .map(([name, rest]) => [name, ...rest].join(" "))
    .filter((given) => covers(given) !== undefined);
  fc.assert(fc.property(command, tried), { numRuns: 300 });
  for (const name of programs)
    for (const letter of letters) {
      const given = `${name} -${letter} a.txt b.txt`;
      if (covers(given) !== undefined) tried(given);
    }

  function tried(given: string): void {
    writeFileSync(ran, "");
    spawnSync("/bin/bash", ["-c", given], { cwd: work, env, stdio: ["ignore", "ignore", "ignore"] });
    expect([given, readFileSync(ran, "utf8")]).toEqual([given, ""]);
    expect(content() === before ? "unchanged" : given).toBe("unchanged");
  }
});

test("a covered command is a single command to bash (P-XAO-7)", () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-cover-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ran = join(folder, "ran");
  for (const name of ["ls", "evil"]) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> '${ran}'\n`);
    chmodSync(path, 0o755);
  }
  const piece = fc.constantFrom(
    ..."; ^ & | && || ( ) { } < > $ ` \\ ' \" \n \r \t ! # * ? [ ] ~ = : - + , evil ls $(evil) `evil` ;evil |evil x".split(
      " ",
    ),
    " ",
    " ",
    "\n",
    "\u3000",
  );
  const tails = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(tails, (tail) => {
      const command = `ls ${tail}`;
      if (covers(command) === undefined) return;
      writeFileSync(ran, "");
      spawnSync("/bin/bash", ["-c", command], { cwd: folder, env: { PATH: `${folder}:/usr/bin:/bin` } });
      expect(readFileSync(ran, "utf8")).toBe("ls\n");
    }),
    { numRuns: 500 },
  );
});
