import { expect, test } from "bun:test";
import { isBelow, scopedValues } from "./scope.ts";

const env = { HOME: "/home/ada" };
const entries = [
  "everywhere",
  { path: "~/work", models: ["at-work"] },
  { paths: ["/srv/a", "/srv/b"], values: "served" },
  { pathPrefixes: ["~/work/secret"], providers: ["p"], items: ["i"] },
  { models: ["no path"] },
  42,
  null,
];

test("entries hold below their directories, by whole segments", () => {
  const at = (cwd: string) => scopedValues(entries, { cwd, env });
  expect(at("/home/ada")).toEqual(["everywhere"]);
  expect(at("/home/ada/work")).toEqual(["everywhere", "at-work"]);
  expect(at("/home/ada/workshop")).toEqual(["everywhere"]);
  expect(at("/home/ada/work/secret/x")).toEqual(["everywhere", "at-work", "p", "i"]);
  expect(at("/srv/b/deep")).toEqual(["everywhere", "served"]);
});

test("the root is above everything", () => {
  expect(isBelow("/a/b", "/")).toBe(true);
  expect(isBelow("/a", "/a")).toBe(true);
  expect(isBelow("/ab", "/a")).toBe(false);
});
