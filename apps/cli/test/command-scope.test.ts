import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandScope } from "../src/tools/command-scope.js";

const covers = (command: string, platform: NodeJS.Platform = "linux") => {
  const { kind, value } = commandScope(command, platform);
  return { [kind]: value };
};

describe("approving a command for the session covers further plain commands of its program (P-XAO-7)", () => {
  test.each([
    ["git status", "git"],
    ["ls", "ls"],
    ["git diff HEAD~1 main^ -- src", "git"],
    ["  git log --oneline -5  \n", "git"],
    ['git commit -m "fix: it\'s done; really (& truly) | yes > no"', "git"],
    ["git commit -m 'costs $5 `now` \\ #1\nsecond line'", "git"],
    ["git commit -m fix' this 'now", "git"],
    ["git push -u origin main", "git"],
    ["ls -la ../other", "ls"],
    ["find . -name '*.ts' -type f", "find"],
    ["rg --type ts 'a|b'", "rg"],
    ["prettier --write src/a.ts", "prettier"],
    ["g++-filt x", "g++-filt"],
  ])("%j: those of %s", (command, program) => {
    expect(covers(command)).toEqual({ program });
  });

  test("two spellings of one program cover the same, another program another", () => {
    expect(covers("git log")).toEqual(covers("git   status"));
    expect(covers("git log")).not.toEqual(covers("gti log"));
    expect(covers("git log")).not.toEqual(covers("GIT log"));
  });
});

describe("where that cannot be proved it covers the same text alone (P-XAO-7)", () => {
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
    ["a blank that is none", "git\u00a0log"],
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
  ])("%s: %j", (_, command) => {
    expect(covers(command)).toEqual({ command });
  });

  test("builtins of bash, except those that can run nothing", () => {
    const { stdout } = spawnSync("/bin/bash", ["-c", "compgen -bk"], { encoding: "utf8" });
    const own = stdout.split("\n").filter((name) => name !== "");
    expect(own.length).toBeGreaterThan(50);
    const harmless = own.filter((name) => covers(`${name} x`).program !== undefined).sort();
    const known = "cd dirs echo false kill popd printf pushd pwd test times true type ulimit umask";
    expect(harmless).toEqual(known.split(" "));
    expect(covers("printf -v 'a[$(sh)]' x")).toEqual({ command: "printf -v 'a[$(sh)]' x" });
    expect(covers("test -v 'a[$(sh)]'")).toEqual({ command: "test -v 'a[$(sh)]'" });
  });

  test("all of it, where the shell is that of Windows", () => {
    expect(covers("git status", "win32")).toEqual({ command: "git status" });
  });
});

test("whatever is covered as a command of a program runs nothing else in bash (P-XAO-7)", () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-cover-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ran = join(folder, "ran");
  for (const name of ["tool", "evil"]) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> '${ran}'\n`);
    chmodSync(path, 0o755);
  }
  const piece = fc.constantFrom(
    ..."; ^ & | && || ( ) { } < > $ ` \\ ' \" \n \r \t ! # * ? [ ] ~ = : - + , evil tool $(evil) `evil` ;evil |evil x".split(
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
      const command = `tool ${tail}`;
      if (covers(command).program === undefined) return;
      expect(covers(command)).toEqual({ program: "tool" });
      writeFileSync(ran, "");
      spawnSync("/bin/bash", ["-c", command], { cwd: folder, env: { PATH: `${folder}:/usr/bin:/bin` } });
      expect(readFileSync(ran, "utf8")).toBe("tool\n");
    }),
    { numRuns: 500 },
  );
});
