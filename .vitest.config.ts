import { defineConfig } from 'vitest/config';

/** Type checking is the compiler's; this only says where tests are and how long a real server may take. */
const config = defineConfig({
  test: {
    dir: 'test',
    include: ['**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default'],
  },
});

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default config;
