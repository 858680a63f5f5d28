// Rows of cells as a Markdown table.

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => cellText(cells[at] ?? "")).join(" | ")} |`;
  const [first = [], ...rest] = rows;
  const rule = `|${" --- |".repeat(width)}`;
  return [line(first), rule, ...rest.map(line)].join("\n");
}

function cellText(text: string): string {
  return text.trim().replaceAll("|", "\\|").replace(/\r?\n/g, "<br>");
}
