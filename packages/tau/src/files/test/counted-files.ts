// Files that always hold the same number, as long as they are changed together.

export const COUNTED_FILES: readonly string[] = ["one.txt", "sub/two.txt", "three.txt"];

/** Long enough that a torn write would show. */
export function countText(count: number): string {
  return `${count}\n${`line of ${count}\n`.repeat(200)}`;
}
