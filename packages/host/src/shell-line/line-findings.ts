// What is known of files, remotes and secrets because of the commands that a walk over a line has met.

import type { WrittenContent } from "./command-call.ts";
import type { LeftByLines } from "./shell-context.ts";

export class LineFindings implements LeftByLines {
  readonly downloaded = new Set<string>();
  readonly unpacked = new Set<string>();
  readonly written = new Map<string, WrittenContent>();
  readonly carried = new Map<string, readonly string[]>();
  readonly remotes = new Set<string>();
  readonly kept = new Set<string>();
  readonly links = new Map<string, string>();
  readonly copies = new Map<string, string>();
  isSplittingOdd = false;

  /** From earlier lines. */
  takeLeft(left: LeftByLines): void {
    this.isSplittingOdd ||= left.isSplittingOdd;
    for (const name of left.remotes) this.remotes.add(name);
    for (const secret of left.kept) this.kept.add(secret);
    for (const [path, secrets] of left.carried) this.carried.set(path, secrets);
  }

  /** From another walk over the same line. */
  takeAll(other: LineFindings): void {
    this.takeLeft(other);
    for (const path of other.downloaded) this.downloaded.add(path);
    for (const path of other.unpacked) this.unpacked.add(path);
    for (const [path, content] of other.written) this.written.set(path, content);
    for (const [link, target] of other.links) this.links.set(link, target);
    for (const [copy, source] of other.copies) this.copies.set(copy, source);
  }
}
