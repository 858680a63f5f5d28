import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { opensshNames } from "./openssh-names.ts";

test("names are listed, patterns and exceptions are not", async () => {
  await using home = await createScratchDirectory();
  const config = await home.write(
    ".ssh/config",
    [
      "# Host commented",
      "Host web web-2 *.corp !web-3",
      "  HostName 10.0.0.1",
      'host="spaced name" # a comment',
      "HOST=db",
      'Match exec "touch ran" host never',
      "  User x",
      "Host *",
      "  ForwardAgent yes",
      "Host web",
      "",
    ].join("\r\n"),
  );
  expect(opensshNames(config, home.root)).toEqual(["web", "web-2", "spaced name", "db"]);
});

test("included files are followed, also in circles and where there are none", async () => {
  await using home = await createScratchDirectory();
  const config = await home.write(
    ".ssh/config",
    "Include conf.d/* ~/other missing nowhere/*\nHost last\n",
  );
  await home.write(".ssh/conf.d/a", "Host a\nInclude config\n");
  await home.write(".ssh/conf.d/b", "Host b\n");
  await home.write("other", "Host other\n");
  expect(opensshNames(config, home.root)).toEqual(["a", "b", "other", "last"]);
  expect(opensshNames(home.path("none"), home.root)).toEqual([]);
});
