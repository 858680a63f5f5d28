// A checkpoint of the working tree after every turn that changed something, without touching the index, the
// branch or the stash: `/checkpoints` lists them, `/restore N` brings one back.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineExtension, UserError } from "@tau/extension";

interface Checkpoint {
  commit: string;
  turn: number;
}

export default defineExtension({
  name: "git-checkpoint",
  setup: (host) => {
    const checkpoints: Checkpoint[] = [];
    const git = (args: readonly string[], env: Record<string, string> = {}): Promise<string> =>
      new Promise((resolve, reject) => {
        // A repository's own configuration must not run anything here.
        const inert = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
        const options = { cwd: host.cwd, env: { ...process.env, ...env } };
        execFile("git", [...inert, ...args], options, (error, stdout) =>
          error ? reject(error) : resolve(stdout.trim()),
        );
      });
    /** An index of its own: what the user has staged stays as it is. */
    const checkpoint = async (turn: number): Promise<void> => {
      const directory = await mkdtemp(join(tmpdir(), "checkpoint-"));
      try {
        const env = {
          GIT_INDEX_FILE: join(directory, "index"),
          GIT_AUTHOR_NAME: "checkpoint",
          GIT_AUTHOR_EMAIL: "checkpoint@localhost",
          GIT_COMMITTER_NAME: "checkpoint",
          GIT_COMMITTER_EMAIL: "checkpoint@localhost",
        };
        await git(["add", "--all"], env);
        const tree = await git(["write-tree"], env);
        const before = checkpoints.at(-1);
        if (before && (await git(["rev-parse", `${before.commit}^{tree}`])) === tree) return;
        const commit = await git(["commit-tree", tree, "-m", `turn ${turn}`], env);
        await git(["update-ref", `refs/checkpoints/${host.sessionId}/${turn}`, commit]);
        checkpoints.push({ commit, turn });
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    };
    return {
      commands: [
        {
          name: "checkpoints",
          help: "list the checkpoints of this session",
          when: "any",
          run: async () =>
            checkpoints.map(({ turn, commit }) => `${turn}  ${commit.slice(0, 10)}`).join("\n") ||
            "No checkpoints yet.",
        },
        {
          name: "restore",
          argument: "TURN",
          help: "bring the files of a checkpoint back",
          run: async (_place, argument) => {
            const found = checkpoints.find(({ turn }) => String(turn) === argument.trim());
            if (!found)
              throw new UserError(`there is no checkpoint ${argument}; /checkpoints lists them`);
            await git(["restore", "--source", found.commit, "--worktree", "--", "."]);
            return `Restored the files of turn ${found.turn}.`;
          },
        },
      ],
      hooks: {
        turn_end: async ({ turn, results }) => {
          if (results.length > 0) await checkpoint(turn);
          return undefined;
        },
      },
    };
  },
});
