// The lines in which two texts differ, as one piece of each: what a hook is told of an edit that was not
// made of an old and a new text.

export function changedPart(before: string, after: string): [before: string, after: string] {
  const old = before.split("\n");
  const now = after.split("\n");
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    old.slice(head, old.length - tail).join("\n"),
    now.slice(head, now.length - tail).join("\n"),
  ];
}
