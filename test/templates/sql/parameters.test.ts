import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

interface AnyQuery {
  readonly name: string;
  readonly sql: string;
  readonly params: z.ZodType;
}

const folder = join(dirname(createRequire(import.meta.url).resolve('#package')), 'templates/sql');
const modules = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map(async (file) => Object.values(await import(join(folder, file)))),
);
const queries = modules.flat().filter(isQuery);

function isQuery(value: unknown): value is AnyQuery {
  return typeof value === 'object' && value !== null && 'sql' in value && 'params' in value;
}

describe('the queries', () => {
  it('have names of their own, by which they are found in the log of the server', () => {
    const names = queries.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(queries)(
    '$name has in its text exactly the parameters of its schema',
    ({ sql, params }) => {
      const inText = new Set(
        [...sql.matchAll(/\{(\w+)\s*:\s*[A-Z][\w()]*\}/g)].map(([, name]) => name),
      );
      const shape = params instanceof z.ZodObject ? Object.keys(params.shape) : [];
      expect([...inText].sort()).toEqual(shape.sort());
    },
  );

  it.each(queries)('$name bounds what it reads of a log by the date', ({ sql }) => {
    for (const table of ['trace_log', 'asynchronous_metric_log', 'metric_log']) {
      if (new RegExp(`FROM system\\.${table}\\b`).test(sql)) expect(sql).toContain('event_date');
    }
  });
});
