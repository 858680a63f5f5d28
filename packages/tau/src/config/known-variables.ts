// The variables that there are, by name: Tau's own and those of features, joined. Files are read, values
// checked and the reference made from this one table.

import type { VariableName, VariableRow, VariableRows } from "./environment-table.ts";

/** What their names begin with in the family whose users walk over. */
const FAMILY = ["OMP_", "PI_"] as const;

export class KnownVariables {
  readonly #rows: ReadonlyMap<string, VariableRow>;

  constructor(...groups: readonly VariableRows[]) {
    this.#rows = new Map(groups.flatMap((rows) => Object.entries(rows)));
  }

  get names(): readonly VariableName[] {
    return [...this.#rows.keys()] as VariableName[];
  }

  row(name: string): VariableRow | undefined {
    return this.#rows.get(name);
  }

  /** The first that is set counts. */
  aliasesOf(name: VariableName): readonly string[] {
    if (this.row(name)?.family === "own") return [];
    return FAMILY.map((prefix) => prefix + name.slice("TAU_".length));
  }

  /** The row that a name stands for: its own, or that of the variable which it is an alias of. */
  rowBehind(name: string): VariableRow | undefined {
    const prefix = FAMILY.find((one) => name.startsWith(one));
    if (prefix === undefined) return this.row(name);
    const row = this.row(`TAU_${name.slice(prefix.length)}`);
    return row?.family === "own" ? undefined : row;
  }
}
