// Runs as a program on the sources of an older Tau: opens a session, writes to it as that Tau
// does, and says what it sees. It imports nothing of this one.
//   older-program.ts SOURCES SESSION STEPS

import { argv } from "node:process";

const [sources, path, given] = argv.slice(2);
const { createDiskStorage } = (await import(
  `${sources}/packages/host/src/storage.ts`
)) as typeof import("@tau/host/storage");
const { openSession } = (await import(
  `${sources}/packages/tau/src/session/log/open-session.ts`
)) as typeof import("../open-session.ts");
const { buildContext } = (await import(
  `${sources}/packages/tau/src/session/context/build-context.ts`
)) as typeof import("../../context/build-context.ts");

const log = await openSession(path!, { storage: createDiskStorage(), mode: "write" });
for (const { kind, pick } of JSON.parse(given!) as { kind: string; pick: number }[]) {
  const branch = await log.branch();
  const picked = branch[pick % Math.max(1, branch.length)]?.id;
  if (kind === "title") await log.append({ type: "title", title: `${pick}`, source: "user" });
  else if (kind === "deliver") {
    // As its runs did: the message alone, and that it was delivered.
    for (const { mailId, message } of await log.pendingMail()) {
      if (!message) continue;
      await log.appendAll([
        { type: "message", message },
        { type: "mail", mailId, state: "delivered" },
      ]);
    }
  } else if (kind === "move" && picked !== undefined) await log.moveLeaf(picked, "test");
  else if (kind === "compaction" && picked !== undefined) {
    const sizes = { tokensBefore: 2, tokensAfter: 1 };
    const summary = `summary ${pick}`;
    await log.append({ type: "compaction", summary, firstKeptEntryId: picked, ...sizes });
  } else {
    const content = [{ type: "text" as const, text: `older ${pick}` }];
    await log.append({ type: "message", message: { role: "user", content, timestamp: pick } });
  }
}
const branch = await log.branch();
const context = buildContext(branch).messages.map(({ content }) => content);
const seen = { leafId: log.leafId, branch: branch.map(({ id }) => id), context };
console.log(JSON.stringify(seen));
await log.close();
