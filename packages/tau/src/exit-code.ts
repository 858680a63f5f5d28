// What the process tells its caller. Scripts rely on these.

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  noCredentials: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
