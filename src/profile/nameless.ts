/** A bare address, or a place in a module: `0x7f51…`, `??`, `libc.so.6+0x1098eb`, `libchdb.so!sub_13c28340`. */
const NAMELESS = /^(?:0x[0-9a-f]+|\?\?|[^\s:]+(?:!sub_|\+0x)[0-9a-f]+)$/;

/** Whether a frame is code that nobody could name. */
export function isNameless(frame: string): boolean {
  return NAMELESS.test(frame);
}
