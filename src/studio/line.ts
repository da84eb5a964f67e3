import { stopped } from './stopped.ts';

/** Things that are used by one caller at a time; further callers wait in line. */
export class Line<Thing> {
  readonly #free: Thing[];
  readonly #waiting: ((thing: Thing) => void)[] = [];

  constructor(things: readonly Thing[]) {
    this.#free = [...things];
  }

  /** The one given back last comes first. Rejects when the signal is aborted meanwhile. */
  take(signal: AbortSignal): Promise<Thing> {
    if (signal.aborted) return Promise.reject(stopped(signal));
    const thing = this.#free.pop();
    if (thing !== undefined) return Promise.resolve(thing);
    return new Promise((resolve, reject) => {
      const onTurn = (next: Thing) => {
        signal.removeEventListener('abort', onAbort);
        resolve(next);
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(onTurn), 1);
        reject(stopped(signal));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(onTurn);
    });
  }

  giveBack(thing: Thing): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(thing);
    else next(thing);
  }
}
