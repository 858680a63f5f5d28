// Decides for each write of a faulty storage whether it happens, breaks, or ends the run,
// and keeps the record of writes. It knows nothing of single operations: they come in as
// "do it whole" and "do what a crash halfway leaves".

import type { Storage } from "@tau/host/storage";
import { StorageError, type StorageOperation } from "@tau/host/storage-error";
import type { Fault, FaultPlan } from "./fault-plan.ts";

/** One mutating call, in the order in which the calls were made. */
export interface WriteRecord {
  /** Counted from 1 over the whole run. */
  ordinal: number;
  point: string;
  /** Counted from 1 among the writes of the same point. */
  pointOrdinal: number;
  operation: StorageOperation;
  path: string;
  /** 0 for operations without content. */
  bytes: number;
}

/** What a dead process would have been told: nothing. Every call after the crash gets it. */
export class Crashed extends Error {
  override readonly name = "Crashed";

  constructor(after: WriteRecord) {
    super(`the process "crashed" at write ${after.ordinal} (${after.point}, ${after.operation})`);
  }
}

/** One write on its way to the inner storage. */
export interface PendingWrite<T> {
  point: string;
  operation: StorageOperation;
  path: string;
  content?: Uint8Array;
  /** Does the whole write. */
  run: () => Promise<T>;
  /** Leaves on disk what a crash after `prefix` would leave; without it, nothing. */
  runPartly?: (prefix: Uint8Array) => Promise<void>;
  /** Whether the same prefix stays when the write fails but the process lives. */
  keepsPrefixOnFailure?: boolean;
}

// What a full disk refuses. Syncing, cutting, renaming and removing need no new block.
const NEEDS_SPACE: ReadonlySet<StorageOperation> = new Set<StorageOperation>([
  "append",
  "replace",
  "create",
  "open",
  "link",
  "make directory",
]);

/** What all wrapped files of one storage share. */
export class FaultState {
  readonly writes: WriteRecord[] = [];
  crash: Crashed | undefined;
  readonly #inner: Storage;
  readonly #plans: FaultPlan[];
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** Bytes of each appended file that a power loss would spare. */
  readonly synced = new Map<string, number>();

  constructor(inner: Storage, plans: FaultPlan[]) {
    this.#inner = inner;
    this.#plans = plans;
  }

  async read<T>(run: () => Promise<T>): Promise<T> {
    if (this.crash) throw this.crash;
    const result = await run();
    // The crash may have come while this call was under way.
    if (this.crash) throw this.crash;
    return result;
  }

  async write<T>(write: PendingWrite<T>): Promise<T> {
    if (this.crash) throw this.crash;
    const record = this.#record(write);
    const plan = this.#plans.find((candidate) => matches(candidate, record));
    if (!plan) return this.read(() => this.#track(write.run()));
    return this.#break(write, record, plan);
  }

  #record<T>(write: PendingWrite<T>): WriteRecord {
    const { point, operation, path } = write;
    const pointOrdinal = (this.#counts.get(point) ?? 0) + 1;
    this.#counts.set(point, pointOrdinal);
    const ordinal = this.writes.length + 1;
    const bytes = write.content?.length ?? 0;
    const record = { ordinal, point, pointOrdinal, operation, path, bytes };
    this.writes.push(record);
    return record;
  }

  async #break<T>(write: PendingWrite<T>, record: WriteRecord, plan: FaultPlan): Promise<T> {
    const { operation, path } = write;
    const { fault } = plan;
    switch (fault.kind) {
      case "fail":
        throw new StorageError({ code: fault.code ?? "EIO", path, operation });
      case "enospc": {
        // A disk that was full before takes nothing at all.
        const room = isFirst(plan, record) ? fault.bytes : 0;
        const prefix = write.keepsPrefixOnFailure ? prefixOf(write.content, room) : undefined;
        if (prefix) await write.runPartly?.(prefix);
        throw new StorageError({ code: "ENOSPC", path, operation, written: prefix?.length });
      }
      case "kill":
        return this.#kill(write, fault);
      default:
        // Whoever is in the middle of another call must not hear of its success.
        this.crash = new Crashed(record);
        await this.#leaveBehind(write, fault);
        throw this.crash;
    }
  }

  async #leaveBehind<T>(
    write: PendingWrite<T>,
    fault: Extract<Fault, { kind: "tear" | "crash-before" | "crash-after" | "power-loss" }>,
  ): Promise<void> {
    if (fault.kind === "crash-after") await write.run();
    if (fault.kind === "power-loss") await this.#losePower();
    if (fault.kind !== "tear") return;
    const prefix = prefixOf(write.content, fault.bytes);
    if (prefix) await write.runPartly?.(prefix);
  }

  async #kill<T>(write: PendingWrite<T>, fault: Extract<Fault, { kind: "kill" }>): Promise<never> {
    if (fault.when === "after") {
      await write.run();
    } else {
      const prefix = prefixOf(write.content, fault.bytes);
      if (prefix) await write.runPartly?.(prefix);
    }
    process.kill(process.pid, "SIGKILL");
    // The signal takes effect before kill returns; in case it does not, nobody goes on.
    return new Promise<never>(() => {});
  }

  async #track<T>(running: Promise<T>): Promise<T> {
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  async #losePower(): Promise<void> {
    // What is under way must not land after the cut, where it would leave a gap before it.
    await Promise.allSettled(this.#underWay);
    for (const [path, size] of this.synced) {
      if (((await this.#inner.stat(path))?.size ?? 0) <= size) continue;
      await using file = await this.#inner.open(path, {});
      await file.truncate(size, { point: "power-loss" });
    }
  }
}

function isFirst(plan: FaultPlan, record: WriteRecord): boolean {
  return plan.at === (plan.point === undefined ? record.ordinal : record.pointOrdinal);
}

function matches(plan: FaultPlan, record: WriteRecord): boolean {
  if (plan.point !== undefined && plan.point !== record.point) return false;
  if (isFirst(plan, record)) return true;
  const count = plan.point === undefined ? record.ordinal : record.pointOrdinal;
  if (plan.repeat !== "always" || count < plan.at) return false;
  return plan.fault.kind !== "enospc" || NEEDS_SPACE.has(record.operation);
}

function prefixOf(content: Uint8Array | undefined, bytes = 0): Uint8Array | undefined {
  if (!content || bytes === 0) return undefined;
  return content.subarray(0, bytes);
}
