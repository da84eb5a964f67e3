import type { Store } from '../../ports.ts';
import type { Reading } from '../../reading.ts';
import type { Bytes } from '../../units.ts';
import { ReadingSchema } from '../reading-schema.ts';
import type { StoreConnection } from './connection.ts';
import { KEEP_READING } from './scripts.ts';
import { seriesOf } from './series.ts';

type Readings = Pick<Store, 'keepReading' | 'readings' | 'readingsOf'>;

export function readingsIn(connection: StoreConnection, budgetBytes: Bytes): Readings {
  const { ask, prefix, redis } = connection;
  return {
    async keepReading(reading) {
      const json = Buffer.from(JSON.stringify(reading));
      const { investigationId, atMicros } = reading;
      await connection.keep(
        json.length,
        KEEP_READING,
        ...[investigationId, seriesOf(reading), atMicros, json, budgetBytes],
      );
    },

    async readings({ target, kind, subject = '', sinceMicros, beforeMicros, limit }) {
      const series = seriesOf({ target, kind, subject });
      const newest = beforeMicros === undefined ? '+inf' : `(${beforeMicros}`;
      const oldest = sinceMicros ?? '-inf';
      return ask(async () => {
        const ids = await redis.zrevrangebyscore(
          `${prefix}:readings:${series}`,
          newest,
          oldest,
          'LIMIT',
          0,
          limit,
        );
        return readEach(connection, ids, series);
      });
    },

    async readingsOf(investigationId) {
      const found = await ask(() => redis.hvals(`${prefix}:reading:${investigationId}`));
      return found.map(parseReading).sort((a, b) => (seriesOf(a) < seriesOf(b) ? -1 : 1));
    },
  };
}

async function readEach(
  { redis, prefix }: StoreConnection,
  ids: readonly string[],
  series: string,
): Promise<readonly Reading[]> {
  if (ids.length === 0) return [];
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hget(`${prefix}:reading:${id}`, series);
  const answers = (await pipeline.exec()) ?? [];
  return answers.flatMap(([error, json]) => {
    if (error !== null) throw error;
    // Forgotten between the two looks.
    return typeof json === 'string' ? [parseReading(json)] : [];
  });
}

function parseReading(json: string): Reading {
  return ReadingSchema.parse(JSON.parse(json));
}
