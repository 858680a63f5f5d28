// A measured figure, and how a table of them is printed.

export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "µs" | "bytes" | "events/s" | "%" | "tokens";
  /** Against bare Bun in the same run. */
  ratio?: number;
  /** What the ratio must not exceed. */
  ratioBar?: number;
  /** What the ratio must reach. */
  ratioFloor?: number;
  /** What the value must not exceed. */
  bar?: number;
}

export function isMet(figure: Figure): boolean | undefined {
  if (figure.ratioFloor !== undefined) return figure.ratio! >= figure.ratioFloor;
  if (figure.ratioBar !== undefined) return figure.ratio! <= figure.ratioBar;
  if (figure.bar !== undefined) return figure.value <= figure.bar;
  return undefined;
}

export function printTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    show(figure.value, figure.unit),
    figure.ratio === undefined ? "" : `${figure.ratio.toFixed(1)}×`,
    showBar(figure),
    { true: "met", false: "MISSED", undefined: "" }[String(isMet(figure))]!,
  ]);
  const table = [["", "median", "ratio", "bar", ""], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function showBar({ ratioFloor, ratioBar, bar, unit }: Figure): string {
  if (ratioFloor !== undefined) return `≥ ${ratioFloor.toFixed(1)}×`;
  if (ratioBar !== undefined) return `≤ ${ratioBar.toFixed(1)}×`;
  return bar === undefined ? "" : `≤ ${show(bar, unit)}`;
}

function show(value: number, unit: Figure["unit"]): string {
  if (unit === "µs") return `${value.toFixed(1)} µs`;
  if (unit === "%") return `${value.toFixed(2)} %`;
  if (unit === "events/s") return `${Math.round(value / 1000)}k/s`;
  if (unit === "tokens") return `${Math.round(value / 1000)}k tokens`;
  if (unit === "ms") return `${value.toFixed(1)} ms`;
  return value < 100_000 ? `${Math.round(value)} B` : `${(value / 1e6).toFixed(1)} MB`;
}
