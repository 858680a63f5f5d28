// Ways out of a sandbox, each with what it tries and whether a kind of sandbox is known not to hold it. An
// attempt that succeeds prints one word; whatever else it prints does not matter.

import type { Kind } from "./sandbox-test.ts";

export const ESCAPED = "ESCAPED";
export const SECRET = "hunter2";

/** What there is outside to be reached. */
export interface Outside {
  home: string;
  workspace: string;
  temporary: string;
  /** Somebody listens there. */
  port: number;
  /** Another address of this machine, if it has one. */
  address: string | undefined;
  datagramPort: number;
  /** Sockets of services, one in the temporary directory and one in the home. */
  sockets: readonly string[];
  /** The Tau that runs the sandbox, and another process of the same user with a secret in its environment. */
  tau: number;
  victim: number;
  /** The terminal of somebody else. */
  terminal: string;
}

export interface Escape {
  name: string;
  /** Kinds that do not keep it; the documentation says so. */
  notKept?: readonly Kind[];
  /** Without a sandbox it would change the machine, or needs what not everybody may do. */
  isOnlyInside?: true;
  /** Bash, or Python in lines. */
  shell?(outside: Outside): string;
  python?(outside: Outside): string;
}

const printed = `echo ${ESCAPED}`;

function connect(host: string, port: number): string {
  return `import socket
socket.create_connection((${JSON.stringify(host)}, ${port}), 1)
print("${ESCAPED}")`;
}

function ioctl(terminal: string, how: string): string {
  return `import os, fcntl
fd = os.open("${terminal}", os.O_RDWR | os.O_NOCTTY)
${how}
print("${ESCAPED}")`;
}

export const ESCAPES: readonly Escape[] = [
  { name: "write to the home", shell: ({ home }) => `echo x > ${home}/made && ${printed}` },
  {
    name: "change a start-up file",
    shell: ({ home }) => `echo x >> ${home}/.bashrc && ${printed}`,
  },
  {
    name: "empty a file outside",
    shell: ({ home }) => `truncate -s 0 ${home}/notes && ${printed}`,
  },
  {
    name: "remove and move files outside",
    shell: ({ home }) =>
      `{ rm -f ${home}/notes && [ ! -e ${home}/notes ] || mv ${home}/notes ${home}/gone; } && ${printed}`,
  },
  {
    name: "change a mode outside",
    notKept: ["landlock"],
    shell: ({ home }) => `chmod 640 ${home}/.bashrc && ${printed}`,
  },
  {
    name: "write to the system",
    isOnlyInside: true,
    shell: () => `echo x > /etc/tau-escape && ${printed}`,
  },
  { name: "read a key", shell: ({ home }) => `grep -q ${SECRET} ${home}/.ssh/id && ${printed}` },
  {
    name: "read a key by the root of a process",
    isOnlyInside: true,
    shell: ({ home, tau }) =>
      `cat /proc/self/root${home}/.ssh/id /proc/${tau}/root${home}/.ssh/id /proc/1/root${home}/.netrc | grep -q ${SECRET} && ${printed}`,
  },
  {
    name: "read a key by a link",
    shell: ({ home }) => `ln -sf ${home}/.ssh/id link; grep -q ${SECRET} link && ${printed}`,
  },
  {
    name: "bring a key in by another name",
    shell: ({ home }) =>
      `{ ln ${home}/.ssh/id hard || mv ${home}/.ssh ssh-moved || mv ${home}/.netrc moved; } && grep -rq ${SECRET} . && ${printed}`,
  },
  {
    name: "connect to this machine",
    python: ({ port }) => connect("127.0.0.1", port),
  },
  {
    name: "connect to another address of this machine",
    python: ({ address, port }) => connect(address ?? "127.0.0.1", port),
  },
  {
    // Whether it came is seen outside.
    name: "send a datagram",
    isOnlyInside: true,
    python: ({ datagramPort }) => `import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", ${datagramPort}))`,
  },
  {
    name: "call a service's socket",
    python: ({ sockets }) => `import socket
for path in ${JSON.stringify(sockets)}:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("${ESCAPED}")
    except OSError:
        pass`,
  },
  {
    name: "use the agent that the environment leads to",
    shell: () => `[ -z "\${SSH_AUTH_SOCK+x}\${DOCKER_HOST+x}" ] || ${printed}`,
  },
  {
    name: "put a hook into the repository",
    notKept: ["landlock"],
    shell: () => `echo x > .git/hooks/pre-commit && ${printed}`,
  },
  {
    name: "change the repository's settings",
    notKept: ["landlock"],
    shell: () => `{ git config core.pager x || echo x >> .git/config; } && ${printed}`,
  },
  {
    name: "put another repository in its place",
    notKept: ["landlock"],
    shell: () => `{ mv .git .aside || mv .git/hooks .git/aside; } && ${printed}`,
  },
  { name: "signal Tau", shell: ({ tau }) => `kill -0 ${tau} && ${printed}` },
  { name: "signal another process", shell: ({ victim }) => `kill -CONT ${victim} && ${printed}` },
  {
    name: "read the environment of another process",
    shell: ({ victim, tau }) =>
      `cat /proc/${victim}/environ /proc/${tau}/environ | grep -q ${SECRET} && ${printed}`,
  },
  {
    name: "trace another process",
    isOnlyInside: true,
    python: ({ victim }) => `import ctypes
if ctypes.CDLL(None).ptrace(16, ${victim}, 0, 0) == 0:
    print("${ESCAPED}")`,
  },
  {
    name: "read the memory of another process",
    shell: ({ victim }) => `head -c 1 /proc/${victim}/maps | grep -q . && ${printed}`,
  },
  {
    name: "mount",
    isOnlyInside: true,
    shell: ({ temporary }) => `mount -t tmpfs none ${temporary} && ${printed}`,
  },
  {
    name: "make the system writable",
    isOnlyInside: true,
    shell: () => `mount -o remount,rw / && ${printed}`,
  },
  {
    name: "become root in a namespace of its own",
    isOnlyInside: true,
    shell: ({ home }) =>
      `unshare -Urm sh -c 'umount ${home}/.ssh; umount ${home}/.netrc; mount -o remount,rw,bind ${home}; cat ${home}/.ssh/id ${home}/.netrc; echo x > ${home}/made' | grep -q ${SECRET} && ${printed}; [ ! -e ${home}/made ] || ${printed}`,
  },
  { name: "make a device", isOnlyInside: true, shell: () => `mknod disk b 8 0 && ${printed}` },
  {
    name: "turn a switch of the kernel",
    isOnlyInside: true,
    shell: () => `echo escaped > /proc/sys/kernel/domainname && ${printed}`,
  },
  {
    name: "gain privileges",
    shell: () =>
      `grep -q 'NoNewPrivs:.1' /proc/self/status && grep -q 'CapEff:.0*$' /proc/self/status || ${printed}`,
  },
  {
    name: "type into somebody's terminal",
    isOnlyInside: true,
    python: ({ terminal }) => ioctl(terminal, 'fcntl.ioctl(fd, 0x5412, b"x")'),
  },
  {
    name: "write to somebody's terminal",
    python: ({ terminal }) => ioctl(terminal, 'os.write(fd, b"x")'),
  },
  {
    name: "use an inherited descriptor",
    isOnlyInside: true,
    python: () => `import os
for fd in range(3, 1024):
    try:
        path = os.readlink(f"/proc/self/fd/{fd}")
        if "/.ssh/" in path or "/.tau" in path:
            print("${ESCAPED}")
    except OSError:
        pass`,
  },
];
