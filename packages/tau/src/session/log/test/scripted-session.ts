// A session of thirty entries with all that can go wrong in it: tools in batches, an image
// that goes to the blob store, a branch, labels, titles and a compaction. Each step is
// noted before it is tried and when it is acknowledged, so that a test can tell what a
// dead process had promised.

import { StorageError } from "@tau/host/storage-error";
import type { NewEntry, SessionEntry } from "../../entry.ts";
import type { SessionLog } from "../../session-log.ts";
import { compaction, reply, result, user } from "./support.ts";

export const IMAGE = Buffer.alloc(1500, "pixels").toString("base64");

export interface Promised {
  acknowledged: SessionEntry[];
  /** What was given to the append that has not been answered. */
  inFlight: readonly NewEntry[];
  /** Appends that were refused. */
  refused: number;
}

export async function runScript(log: SessionLog, promised: Promised): Promise<void> {
  /** A refused append is passed over, as by a user who frees some space and goes on. */
  const append = async (...entries: NewEntry[]): Promise<SessionEntry | undefined> => {
    promised.inFlight = entries;
    try {
      const appended = await log.appendAll(entries);
      promised.acknowledged.push(...appended);
      promised.inFlight = [];
      return appended[0];
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      promised.refused += 1;
      promised.inFlight = [];
      return undefined;
    }
  };
  await append({ type: "model_change", model: "test/test-1", role: "default" });
  const first = await append(user("Look at the picture, s'il vous plaît: 🖼"));
  await append(reply("I will", ["a", "b", "c"]));
  await append(result("a", "one"), result("b", "two", IMAGE), result("c", "three"));
  await append({ type: "title", title: "Pictures", source: "auto" });
  const seen = await append(reply("A cat."));
  if (seen) await append({ type: "label", targetId: seen.id, label: "cat" });
  await append(user("Are you sure?"));
  await append(reply("", ["d"]), result("d", "still a cat".repeat(100)));
  await append(reply("Yes."));
  if (first) await append({ type: "leaf", leafId: first.id, reason: "tree" });
  await append({ type: "branch_summary", fromId: seen?.id ?? "root", summary: "It is a cat." });
  await append({ type: "thinking_level_change", thinkingLevel: "high" });
  const kept = await append(user("And the other one?"));
  await append(reply("", ["e", "f"]), result("e", "dog"), result("f", "dog", IMAGE));
  await append(reply("A dog."));
  if (kept) await append(compaction(kept.id));
  await append({ type: "custom", customType: "todo", data: { items: ["feed"] } });
  await append({ type: "title", title: "Cats and dogs", source: "user" });
  await append(user("Thanks"), reply("You are welcome."));
  if (kept) await append({ type: "label", targetId: kept.id });
  await append(user("One more thing"));
  await append({ type: "mail", mailId: "m1", state: "queued", delivery: "followUp" });
  await append(user("Bye"));
}
