import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import {
  createScratchDirectory,
  createScratchRepository,
  GitError,
  isolatedHome,
  OutsideScratch,
} from "./scratch.ts";

describe("a scratch directory", () => {
  test("holds files and is gone afterwards", async () => {
    let root: string;
    {
      await using dir = await createScratchDirectory();
      root = dir.root;
      expect(await dir.write("deep/er/file.txt", "hello")).toBe(dir.path("deep", "er", "file.txt"));
      expect(await dir.read("deep/er/file.txt")).toBe("hello");
      expect(existsSync(root)).toBe(true);
    }
    expect(existsSync(root)).toBe(false);
  });

  test("never reaches outside of itself", async () => {
    await using dir = await createScratchDirectory();
    expect(() => dir.path("../elsewhere")).toThrow(OutsideScratch);
    expect(() => dir.path("/etc/passwd")).toThrow(OutsideScratch);
    await expect(dir.write("../x", "")).rejects.toThrow(OutsideScratch);
    expect(dir.path("..data")).toBe(`${dir.root}/..data`);
  });
});

const HISTORY = {
  files: { "a.txt": "one\n", "src/b.bin": new Uint8Array([0, 255, 10]) },
  commits: [{ message: "Second", files: { "a.txt": "two\n", "src/b.bin": null } }],
};

describe("a scratch repository", () => {
  test("has the asked history, and the same hashes every time", async () => {
    await using first = await createScratchRepository(HISTORY);
    await using second = await createScratchRepository(HISTORY);
    expect(await first.git("log", "--format=%s|%an|%at", "--reverse")).toBe(
      "Initial commit|Ada Tester|1704110400\nSecond|Ada Tester|1704110460\n",
    );
    expect(await first.git("ls-files")).toBe("a.txt\n");
    expect(await first.git("branch", "--show-current")).toBe("main\n");
    expect(await first.status()).toEqual([]);
    const hash = (await first.git("rev-parse", "HEAD")).trim();
    expect(hash).toBe((await second.git("rev-parse", "HEAD")).trim());
    // Fixed for ever: a change here means that hashes in other tests change too.
    expect(hash).toMatchInlineSnapshot(`"174962f6d4690326c9e74da82ea9fddc7867cf7a"`);
  });

  test("looking at it does not move its clock", async () => {
    await using looked = await createScratchRepository({ files: { a: "1" } });
    await using untouched = await createScratchRepository({ files: { a: "1" } });
    await looked.status();
    await looked.git("log");
    for (const repository of [looked, untouched]) {
      await repository.write("a", "2");
      await repository.git("commit", "--quiet", "--all", "--message", "change");
    }
    expect(await looked.git("rev-parse", "HEAD")).toBe(await untouched.git("rev-parse", "HEAD"));
  });

  test("shows changes, takes another branch, and may be empty", async () => {
    await using repository = await createScratchRepository({ branch: "trunk" });
    expect(await repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/trunk\n");
    await repository.write("dir/new.txt", "x");
    expect(await repository.status()).toEqual(["?? dir/new.txt"]);
  });

  test("a failing command throws with what git said", async () => {
    await using repository = await createScratchRepository();
    const failure = await repository.git("checkout", "nowhere").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GitError);
    expect((failure as GitError).message).toContain("nowhere");
    expect((failure as GitError).exitCode).toBe(1);
  });

  test("sees no configuration of this machine", async () => {
    await using repository = await createScratchRepository();
    const origins = await repository.git("config", "--list", "--show-origin");
    for (const line of origins.trim().split("\n")) expect(line).toStartWith("file:.git/config\t");
  });
});

describe("an isolated home", () => {
  test("gives children a home of their own and no keys", async () => {
    await using home = await isolatedHome();
    const child = Bun.spawn(["bash", "-c", "cd && pwd && env | cut -d= -f1 && mktemp"], {
      env: home.env,
      stdout: "pipe",
    });
    const output = await child.stdout.text();
    expect(output).toStartWith(`${home.root}\n`);
    expect(output).toContain(`\n${home.env.TMPDIR}/`);
    expect(output).not.toMatch(/_API_KEY|_TOKEN|TAU_AGENT_DIR/);
    for (const [name, value] of Object.entries(home.env)) {
      if (name.startsWith("XDG_")) expect(value).toStartWith(home.root);
    }
  });
});
