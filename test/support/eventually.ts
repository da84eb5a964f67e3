/** Waits until the check holds; says what it saw last when it never does. */
export async function eventually(check: () => unknown, timeoutMs = 15_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (thrown) {
      if (Date.now() > deadline) throw thrown;
      await pause(25);
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
