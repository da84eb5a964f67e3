/**
 * What was started, to be stopped in the reverse order. Each is stopped, whatever becomes of the others; what is added
 * when all is over is stopped at once.
 */
export interface Closers extends AsyncDisposable {
  add(close: () => Promise<unknown>): void;
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  let isOver = false;
  return {
    add(close) {
      if (isOver) void close().catch(() => undefined);
      else closers.push(close);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      const failed: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        await close().catch((thrown: unknown) => failed.push(thrown));
      }
      if (failed.length > 0) throw failed[0];
    },
  };
}
