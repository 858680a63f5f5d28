import { expect, test } from "bun:test";
import type { ProjectTrust } from "../../../trust/project-trust.ts";
import type { TrustSubject } from "../../../trust/trust-subject.ts";
import { openElsewhereQuestion, openTrustQuestion } from "./choice-screens.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";

const SUBJECTS: TrustSubject[] = [
  { id: ".mcp.json#mcpServers.db", kind: "mcp", hash: "1" },
  { id: ".tau/hooks/pre.ts", kind: "hooks", hash: "2" },
];

const TRUST: ProjectTrust = {
  state: "untrusted",
  root: "/work/cloned",
  subjects: SUBJECTS,
  changes: [],
  isDenied: false,
  why: "Nobody has decided about this project.",
};

const effects = async ({ kind }: TrustSubject) =>
  kind === "mcp"
    ? ["starts: npx -y evil-server --port 1", "with: DATABASE_URL"]
    : ["runs around every tool call"];

test("exactly what would run is listed; Enter alone decides nothing", async () => {
  const stage = new FakeStage();
  const answer = openTrustQuestion(stage, { trust: TRUST, effects });
  await settled();
  stage.rest();
  expect(stage.picture()).toMatchSnapshot();
  expectLawful(stage);
  stage.press("Enter");
  expect(await answer).toBe("later");
});

test("allowing and denying are each one step away; Esc decides nothing", async () => {
  const stage = new FakeStage();
  const allowed = openTrustQuestion(stage, { trust: TRUST, effects });
  await settled();
  stage.rest();
  stage.press("Right", "Enter");
  expect(await allowed).toBe("allow");
  const denied = openTrustQuestion(stage, { trust: TRUST, effects });
  await settled();
  stage.rest();
  stage.press("Left", "Enter");
  expect(await denied).toBe("deny");
  const left = openTrustQuestion(stage, { trust: TRUST, effects });
  await settled();
  stage.rest();
  stage.press("Escape");
  expect(await left).toBeUndefined();
});

test("nobody agrees to what was not shown yet", async () => {
  const stage = new FakeStage();
  const shown = Promise.withResolvers<readonly string[]>();
  const answer = openTrustQuestion(stage, { trust: TRUST, effects: () => shown.promise });
  stage.rest();
  stage.press("Right", "Enter");
  expect(stage.depth).toBe(1);
  shown.resolve(["runs"]);
  await settled();
  stage.press("Right", "Enter");
  expect(stage.depth).toBe(1);
  stage.rest();
  stage.press("Right", "Enter");
  expect(await answer).toBe("allow");
});

test("what cannot be told cannot be allowed, and the rest is shown all the same", async () => {
  const stage = new FakeStage();
  const answer = openTrustQuestion(stage, {
    trust: TRUST,
    effects: (subject) =>
      subject.kind === "mcp" ? Promise.reject(new Error("the disk is gone")) : effects(subject),
  });
  await settled();
  stage.rest();
  expect(stage.picture()).toContain(
    "cannot be determined, and so cannot be allowed: the disk is gone",
  );
  expect(stage.picture()).toContain("runs around every tool call");
  stage.press("Right", "Enter");
  expect(stage.depth).toBe(1);
  stage.press("Left", "Enter");
  expect(await answer).toBe("later");
});

test("what nobody can vouch for is said and cannot be allowed", async () => {
  const doubtful: TrustSubject = { id: "run.sh", kind: "hooks", unvouchable: "it is a pipe" };
  const stage = new FakeStage();
  const trust = { ...TRUST, subjects: [...SUBJECTS, doubtful] };
  const answer = openTrustQuestion(stage, { trust, effects });
  await settled();
  stage.rest();
  stage.press("Right", "Enter");
  expect(stage.depth).toBe(1);
  expect(stage.picture()).toContain("run.sh cannot be allowed: it is a pipe");
  stage.press("Ctrl+C");
  expect(await answer).toBeUndefined();
});

test("a flood of items scrolls, and none of them can harm the screen", async () => {
  const many = Array.from({ length: 60 }, (_, index): TrustSubject => {
    return { id: `${NASTY}${index}`, kind: "tools", hash: "x" };
  });
  const stage = new FakeStage();
  void openTrustQuestion(stage, {
    trust: {
      ...TRUST,
      root: NASTY,
      subjects: many,
      state: "changed",
      changes: [{ id: many[0]!.id, how: "new" }],
    },
    effects: async () => [NASTY],
  });
  await settled();
  expectLawful(stage);
  stage.rest();
  expectLawful(stage);
  expect(stage.picture()).not.toContain("59");
  stage.press("End");
  expect(stage.picture()).toContain("59");
  stage.press("PageUp", "Up", "Home", "PageDown", "Down");
  expectLawful(stage);
});

test("a session of another directory is left where it is unless somebody says otherwise", async () => {
  const stage = new FakeStage();
  const found = { path: "/s.jsonl", id: "abc123", cwd: "/work/other", isGone: false };
  const left = openElsewhereQuestion(stage, found);
  stage.rest();
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Enter");
  expect(await left).toBe("cancel");
  const copied = openElsewhereQuestion(stage, found);
  stage.rest();
  stage.press("Down", "Enter");
  expect(await copied).toBe("fork");
  const taken = openElsewhereQuestion(stage, { ...found, isGone: true });
  stage.rest();
  stage.press("End", "Enter");
  expect(await taken).toBe("move");
  const cancelled = openElsewhereQuestion(stage, found);
  stage.rest();
  stage.press("Escape");
  expect(await cancelled).toBe("cancel");
});
