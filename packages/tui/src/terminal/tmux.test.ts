// The engine in a real multiplexer, with what people do to panes while an agent works.

import { expect } from "bun:test";
import { join } from "node:path";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";

const PROGRAM = join(import.meta.dir, "test", "print-rows.ts");
const ROWS = 500;
const GESTURE_PAUSE_MS = 350;
const FINISH_LIMIT_MS = 25_000;

testWith(
  { program: "tmux", proves: "scrollback in a multiplexer through resize, split and zoom" },
  "in tmux, every row is in the pane's history once, however the pane is resized",
  async (tmux) => {
    await using scratch = await createScratchDirectory();
    const socket = scratch.path("socket");
    const run = async (...args: string[]): Promise<string> => {
      const child = Bun.spawn([tmux, "-f", "/dev/null", "-S", socket, ...args], {
        env: {
          PATH: process.env.PATH,
          HOME: scratch.root,
          LANG: "C.UTF-8",
          TERM: "xterm-256color",
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [stdout, stderr, code] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ]);
      if (code !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
      return stdout;
    };
    try {
      const program = `'${process.execPath}' '${PROGRAM}' ${ROWS} 6 stop; echo finished; cat`;
      await run("new-session", "-d", "-s", "t", "-x", "100", "-y", "30", program);
      await run("set-option", "-g", "history-limit", "20000");
      const gestures = [
        ["resize-window", "-t", "t", "-x", "70", "-y", "20"],
        ["split-window", "-v", "-t", "t:0.0", "cat"],
        ["resize-pane", "-Z", "-t", "t:0.0"],
        ["resize-pane", "-Z", "-t", "t:0.0"],
        ["resize-window", "-t", "t", "-x", "120", "-y", "40"],
        ["split-window", "-h", "-t", "t:0.0", "cat"],
        ["resize-window", "-t", "t", "-x", "90", "-y", "24"],
      ];
      for (const gesture of gestures) {
        await Bun.sleep(GESTURE_PAUSE_MS);
        await run(...gesture);
      }
      const capture = (): Promise<string> => run("capture-pane", "-p", "-t", "t:0.0", "-S", "-");
      const deadline = performance.now() + FINISH_LIMIT_MS;
      let text = await capture();
      while (!text.includes("finished") && performance.now() < deadline) {
        await Bun.sleep(100);
        text = await capture();
      }
      const numbers = [...text.matchAll(/line-(\d+)\./g)].map((match) => Number(match[1]));
      expect(numbers).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
      expect(text).toContain("finished");
    } finally {
      await run("kill-server");
    }
  },
  30_000,
);
