// What `tau ps` prints: one table, each Tau with what it started.

import { expect, test } from "bun:test";
import type { OwnedProcess } from "@tau/host/process/owned-processes";
import { processLines } from "./ps.ts";

const NOW = 1_000_000_000;
const MINUTE = 60_000;

function running(pid: number, owner: number, more: Partial<OwnedProcess> = {}): OwnedProcess {
  return {
    pid,
    parent: owner,
    owner,
    isOwnerAlive: true,
    ownerCwd: "/home/ada/work",
    ownerStartedAt: NOW - 90 * MINUTE,
    cwd: "/home/ada/work",
    startedAt: NOW - 2 * MINUTE,
    command: "/usr/bin/bash --noprofile --norc",
    ...more,
  };
}

const lines = (...found: OwnedProcess[]): string[] =>
  processLines(found, { now: NOW, home: "/home/ada" });

test("one session with a job", () => {
  const job = running(25790, 25745, { parent: 25784, command: "sleep 30", startedAt: NOW });
  expect(lines(running(25784, 25745), job)).toEqual([
    "    PID    AGE  COMMAND",
    "  25745     1h  tau in ~/work",
    "  25784   2min    bash --noprofile --norc",
    "  25790     0s      sleep 30",
  ]);
});

test("several sessions, one of which has ended, and one whose directory is not known", () => {
  const gone = { isOwnerAlive: false, ownerCwd: undefined, ownerStartedAt: undefined };
  expect(
    lines(
      running(11, 10, { ownerCwd: "/srv/other" }),
      running(21, 20, { ...gone, command: "node a\nb" }),
      running(31, 30, { ownerCwd: undefined }),
    ),
  ).toEqual([
    "    PID    AGE  COMMAND",
    "     10     1h  tau in /srv/other",
    "     11   2min    bash --noprofile --norc",
    "",
    "     20      -  tau (ended)",
    "     21   2min    node a b",
    "",
    "     30     1h  tau in an unknown directory",
    "     31   2min    bash --noprofile --norc",
  ]);
});
