/** A server that never ends a frame must not eat the memory: the call fails instead. */
export class FrameTooLarge extends Error {
  override readonly name = "FrameTooLarge";
}
