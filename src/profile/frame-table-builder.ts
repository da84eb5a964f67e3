import type { FrameTable } from './frame-table.ts';

/** Interns frame names given as strings; readers of bytes have a faster one of their own. */
export class FrameTableBuilder {
  #ids = new Map<string, number>([['', 0]]);
  #encoded: Uint8Array[] = [new Uint8Array(0)];
  #encoder = new TextEncoder();

  intern(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#encoded.length;
    this.#ids.set(name, id);
    this.#encoded.push(this.#encoder.encode(name));
    return id;
  }

  build(): FrameTable {
    const size = this.#encoded.length;
    const offset = new Uint32Array(size);
    const length = new Uint32Array(size);
    const bytes = new Uint8Array(this.#encoded.reduce((sum, name) => sum + name.length, 0));
    let at = 0;
    for (const [id, name] of this.#encoded.entries()) {
      offset[id] = at;
      length[id] = name.length;
      bytes.set(name, at);
      at += name.length;
    }
    return { size, bytes, offset, length };
  }
}
