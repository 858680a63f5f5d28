// Sample calls for the gallery: commands on other hosts.

import type { SampleCall } from "../../feature-api/sample-call.ts";

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "ssh",
    arguments: { host: "build-1", command: "systemctl status nginx", cwd: "/srv" },
    written: { host: "build-1", command: "system" },
    output: "● nginx.service - a web server\n",
    done: {
      text: "● nginx.service - a web server\n   Active: active (running)",
      details: { host: "build-1", exitCode: 0 },
    },
    failed: "no such unit\n[exit code 4]",
  },
];
