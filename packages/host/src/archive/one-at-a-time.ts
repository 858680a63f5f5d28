// Lets those who rewrite the same file go one after the other. Several agents share a process;
// each would put the archive back as it was when it began.

const turns = new Map<string, Promise<unknown>>();

export async function oneAtATime<T>(path: string, run: () => Promise<T>): Promise<T> {
  const before = turns.get(path) ?? Promise.resolve();
  const turn = before.then(run, run);
  turns.set(path, turn);
  try {
    return await turn;
  } finally {
    // Whoever came later has put itself here.
    if (turns.get(path) === turn) turns.delete(path);
  }
}
