// What stands between the words of a statement, and between the parts of an argument, changes nothing
// of what they do.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { classifyShellLine } from "./classify-shell-line.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";

const isAsked = (line: string) =>
  ["guarded", "unknown"].includes(classifyShellLine(line, JUDGED_CONTEXT).class);

test("a statement that loses rows asks, whatever tears its words apart", () => {
  const gap = fc.constantFrom(" ", "  ", "/**/", " /* x */ ", "\n", "\t", " -- x\n");
  const statement = fc.constantFrom(["drop", "table", "users"], ["delete", "from", "users"]);
  const client = fc.constantFrom("psql -c", "psql -Atqc", "mysql -e", "mariadb --execute");
  fc.assert(
    fc.property(client, statement, gap, (name, words, between) => {
      expect(isAsked(`${name} '${words.join(between)}'`)).toBe(true);
      expect(isAsked(`${name} '${["select", "1", "from", "users"].join(between)}'`)).toBe(false);
    }),
  );
});

test("a path in the middle of an argument asks if it is outside, and only then", () => {
  const argument = fc.constantFrom(
    (path: string) => `java -Xlog:gc:file=${path} -version`,
    (path: string) => `gcc -fdump-tree-all=${path} -c x.c`,
    (path: string) => `docker build --output type=local,dest=${path} .`,
    (path: string) => `node --cpu-prof-dir=${path} x.js`,
    (path: string) => `curl -w '%output{${path}}x' http://localhost:3000`,
    (path: string) => `git fast-export --export-marks=${path} HEAD`,
    (path: string) => `php -d error_log=${path} x.php`,
  );
  const outside = fc.constantFrom("/home/me/docs", "/home/me/.bashrc", "/srv/x", "/etc/x");
  const ours = fc.constantFrom("out/x", "./x", "/tmp/x", "/home/me/project/x");
  fc.assert(
    fc.property(argument, outside, ours, (spelled, far, near) => {
      expect({ line: spelled(far), asked: isAsked(spelled(far)) }).toMatchObject({ asked: true });
      expect({ line: spelled(near), asked: isAsked(spelled(near)) }).toMatchObject({
        asked: false,
      });
    }),
  );
});

test("a loss on an emulator of this machine is nobody's", () => {
  const here = fc.constantFrom("http://localhost:4566", "http://127.0.0.1:8000");
  const verb = fc.constantFrom("s3 rb s3://x --force", "dynamodb delete-table --table-name x");
  fc.assert(
    fc.property(here, verb, (address, words) => {
      expect(isAsked(`aws --endpoint-url ${address} ${words}`)).toBe(false);
      expect(isAsked(`AWS_ENDPOINT_URL=${address} aws ${words}`)).toBe(false);
      expect(isAsked(`aws --endpoint-url https://s3.example.com ${words}`)).toBe(true);
      expect(isAsked(`aws ${words}`)).toBe(true);
    }),
  );
});
