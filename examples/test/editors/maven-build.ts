import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";

/** True for words of Maven whose repository does not answer, or does not have what was asked for. */
export const mavenIsUnreachable = (words: string): boolean =>
  /Could not (transfer|resolve|find) artifact|Unknown host|No plugin found for prefix/.test(words);

/** For a repository that never answers. */
const TIMEOUT_MS = 300_000;

/** A program in Java or Kotlin that Maven builds. */
interface MavenBuild {
  /** Builds the program. Returns why that cannot be done on this machine, or undefined. */
  readonly build: () => Promise<string | undefined>;
  /** The class path of the program. */
  readonly classes: () => string;
}

/** Builds a copy of a folder with a pom.xml, which goes away after the tests of the file. */
export function mavenBuild(source: string): MavenBuild {
  let folder = "";
  afterAll(async () => {
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });
  return {
    classes: () =>
      ["target/classes", "target/dependency/*"].map((name) => join(folder, name)).join(delimiter),
    async build() {
      folder = await mkdtemp(join(tmpdir(), "askwire-maven-"));
      await cp(source, folder, { recursive: true });
      const words = ["--batch-mode", "--quiet", "compile", "dependency:copy-dependencies"];
      try {
        await promisify(execFile)("mvn", words, { cwd: folder, timeout: TIMEOUT_MS });
        return undefined;
      } catch (error) {
        const { stdout = "", killed = false } = error as { stdout?: string; killed?: boolean };
        if (killed || mavenIsUnreachable(stdout)) return "the repository of Maven does not answer";
        throw new Error(`mvn ${words.join(" ")} failed:\n${stdout}`, { cause: error });
      }
    },
  };
}
