// A storage that breaks at one chosen write. A test runs its scenario once without a plan,
// learns the writes it makes, then runs it again for every write and every fault. It wraps
// any `Storage` and works on its real files, so what a fault leaves behind is really there.

import type { AppendFile } from "@tau/host/append-file";
import { resolveLinks, temporaryPathFor } from "@tau/host/replace-file";
import type { Storage } from "@tau/host/storage";
import { StorageError, type StorageOperation } from "@tau/host/storage-error";
import type { FaultPlan } from "./fault-plan.ts";
import { FaultState, type WriteRecord } from "./fault-state.ts";

export interface FaultyStorage extends Storage {
  /** Every write that was tried so far, the broken one included. */
  readonly writes: readonly WriteRecord[];
  readonly crashed: boolean;
}

async function wrapAppendFile(state: FaultState, file: AppendFile): Promise<AppendFile> {
  const { path, created } = file;
  // What was there when it was opened is taken for durable.
  if (!state.synced.has(path)) state.synced.set(path, await file.size());
  // As a real file: one call after the other, nothing after a failed append until the file
  // is cut, and no promise at all after a failed sync.
  let last: Promise<unknown> = Promise.resolve();
  let appendFailure: StorageError | undefined;
  let syncFailure: StorageError | undefined;
  const refuseAfter = (earlier: StorageError | undefined, operation: StorageOperation): void => {
    if (!earlier) return;
    throw new StorageError({ code: earlier.code, path, operation, cause: earlier });
  };
  const queue = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run);
    // Only the order is kept here; the caller gets the failure through `next`.
    last = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  };

  const append: AppendFile["append"] = async (content, options) => {
    refuseAfter(syncFailure ?? appendFailure, "append");
    try {
      await state.write({
        ...options,
        operation: "append",
        path,
        content,
        run: () => file.append(content, options),
        runPartly: (prefix) => file.append(prefix, options),
        keepsPrefixOnFailure: true,
      });
    } catch (error) {
      if (error instanceof StorageError) appendFailure = error;
      throw error;
    }
  };
  const sync: AppendFile["sync"] = async (options) => {
    refuseAfter(syncFailure, "sync");
    const run = async (): Promise<void> => {
      await file.sync(options);
      state.synced.set(path, await file.size());
    };
    try {
      await state.write({ ...options, operation: "sync", path, run });
    } catch (error) {
      if (error instanceof StorageError) syncFailure = error;
      throw error;
    }
  };
  const truncate: AppendFile["truncate"] = async (size, options) => {
    const run = async (): Promise<void> => {
      await file.truncate(size, options);
      state.synced.set(path, Math.min(size, state.synced.get(path) ?? size));
    };
    await state.write({ ...options, operation: "truncate", path, run });
    appendFailure = undefined;
  };
  // Closing works after the crash too: the test's own handles must not leak.
  const close = (): Promise<void> => queue(() => file.close());

  return {
    path,
    created,
    append: (content, options) => queue(() => append(content, options)),
    sync: (options) => queue(() => sync(options)),
    truncate: (size, options) => queue(() => truncate(size, options)),
    size: () => queue(() => state.read(() => file.size())),
    read: (start, length) => queue(() => state.read(() => file.read(start, length))),
    identity: () => queue(() => state.read(() => file.identity())),
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function createFaultyStorage(inner: Storage, plans: FaultPlan[] = []): FaultyStorage {
  const state = new FaultState(inner, plans);
  return {
    get writes() {
      return state.writes;
    },
    get crashed() {
      return state.crash !== undefined;
    },
    async open(path, options) {
      let opened: AppendFile | undefined;
      const run = async (): Promise<AppendFile> => (opened = await inner.open(path, options));
      try {
        const file = options.create
          ? await state.write({ ...options, operation: "open", path, run })
          : await state.read(run);
        return await wrapAppendFile(state, file);
      } catch (error) {
        // A dead process has no handles: nobody hears of this one, so nobody will close it.
        await opened?.close();
        throw error;
      }
    },
    replace: (path, content, options) =>
      state.write({
        ...options,
        operation: "replace",
        path,
        content,
        run: () => inner.replace(path, content, options),
        // A torn replacement is a torn temporary beside an untouched file.
        runPartly: async (prefix) => {
          const temporary = temporaryPathFor(await resolveLinks(path));
          await inner.createExclusive(temporary, prefix, options);
        },
      }),
    createExclusive: (path, content, options) =>
      state.write({
        ...options,
        operation: "create",
        path,
        content,
        run: () => inner.createExclusive(path, content, options),
        runPartly: (prefix) => inner.createExclusive(path, prefix, options),
      }),
    rename: (from, to, options) =>
      state.write({
        ...options,
        operation: "rename",
        path: from,
        run: () => inner.rename(from, to, options),
      }),
    link: (existing, path, options) =>
      state.write({
        ...options,
        operation: "link",
        path,
        run: () => inner.link(existing, path, options),
      }),
    remove: (path, options) =>
      state.write({
        ...options,
        operation: "remove",
        path,
        run: () => inner.remove(path, options),
      }),
    makeDirectory: (path, options) =>
      state.write({
        ...options,
        operation: "make directory",
        path,
        run: () => inner.makeDirectory(path, options),
      }),
    read: (path, options) => state.read(() => inner.read(path, options)),
    list: (path) => state.read(() => inner.list(path)),
    stat: (path) => state.read(() => inner.stat(path)),
  };
}
