/** A copy of plain data whose typed arrays can be given away. */
export interface OwnCopy<Value> {
  readonly value: Value;
  /** The buffers of the copy: what `postMessage` transfers. */
  readonly buffers: readonly ArrayBuffer[];
}

/**
 * Copies typed arrays and leaves the rest as it is, so that a profile goes to a thread with one copy of its columns
 * and the caller's stay usable. A view of a large buffer is cut to what it shows; a clone would take all of it.
 */
export function ownCopy<Value>(value: Value): OwnCopy<Value> {
  const buffers: ArrayBuffer[] = [];
  const copies = new Map<object, unknown>();
  const copyOf = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (!copies.has(part)) copies.set(part, copyOfObject(part));
    return copies.get(part);
  };
  const copyOfObject = (part: object): unknown => {
    const kind = TYPED_ARRAYS.find((one) => part instanceof one);
    if (kind !== undefined) {
      const copy = new kind(part as Uint8Array);
      buffers.push(copy.buffer as ArrayBuffer);
      return copy;
    }
    if (Array.isArray(part)) return part.map(copyOf);
    if (Object.getPrototypeOf(part) !== Object.prototype) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inside]) => [key, copyOf(inside)]));
  };
  return { value: copyOf(value) as Value, buffers };
}

/** Those that profiles have. A Buffer is a Uint8Array, and comes out as one. */
const TYPED_ARRAYS = [Uint8Array, Uint32Array, Int32Array, Float64Array] as const;
