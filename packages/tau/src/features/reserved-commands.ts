// Slash commands that front-ends have themselves, with their aliases. A test compares them with the
// front-ends' tables, which stand above the features.

export const RESERVED_COMMANDS: readonly string[] =
  "agents branch clear compact config copy cost exit export extensions fork handoff help hotkeys keys label login logout model models new plugins quit reload rename resume session sessions settings theme thinking tour transcript tree trust usage".split(
    " ",
  );
