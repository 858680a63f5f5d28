// What code of one kernel has defined so far, for the code that comes after it.

export class CodeMemory {}
