// The system's C library, for the few calls that Bun does not offer.

import type { FFIFunction } from "bun:ffi";
import { createRequire } from "node:module";

const NAMES: readonly string[] =
  process.platform === "darwin"
    ? ["libSystem.B.dylib"]
    : ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/** Loaded with the first call that needs it. Undefined where the library is not to be had. */
export function openCLibrary<Calls extends Record<string, FFIFunction>>(calls: Calls) {
  const ffi = createRequire(import.meta.url)("bun:ffi") as typeof import("bun:ffi");
  for (const name of NAMES) {
    try {
      return { symbols: ffi.dlopen(name, calls).symbols, ptr: ffi.ptr };
    } catch (error) {
      // Another C library, or a system that lets no code be made at run time.
      if (!(error instanceof Error)) throw error;
    }
  }
  return undefined;
}
