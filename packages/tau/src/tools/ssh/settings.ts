// How the ssh tool is set up. All of it is the user's alone: it decides which machines a model
// reaches.

import { flag, map, text } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const SSH_ROWS = settingGroup("ssh", "Remote hosts", {
  enabled: flag(true, "Whether the model may run commands on remote hosts", {
    scope: "user",
    guards: { kind: "tool", closed: false },
  }),
  hosts: map("Hosts by name: `host`, `user`, `port`, `key`, `description`", { scope: "user" }),
  openssh: flag(true, "Whether hosts in the OpenSSH configuration can be used, too", {
    scope: "user",
    guards: { kind: "tool", closed: false },
  }),
  config: text(
    "",
    "OpenSSH configuration file to use instead of `~/.ssh/config` and the system's",
    {
      scope: "user",
      // Without it, every name of the usual file would be a host.
      guards: { kind: "tool", tool: "ssh" },
    },
  ),
});

export type SshSettings = GroupValues<typeof SSH_ROWS>;
