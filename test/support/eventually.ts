/** A machine that stood still for a while has not had its time: the check gets at least so many chances. */
const LEAST_ATTEMPTS = 5;

/** Waits until the check holds; says what it saw last when it never does. */
export async function eventually(check: () => unknown, timeoutMs = 15_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await check();
      return;
    } catch (thrown) {
      if (Date.now() > deadline && attempt >= LEAST_ATTEMPTS) throw thrown;
      await pause(25);
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
