import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from './columns.ts';

export const CREATE_DATABASE = `
CREATE DATABASE IF NOT EXISTS {database:Identifier}
COMMENT 'memprof: readings and profiles of past investigations'`;

export const schemaVersion = defineQuery({
  name: 'store-schema',
  sql: 'SELECT max(version) AS version FROM schema_versions',
  params: z.object({}),
  row: z.object({ version: Int64 }),
});

export const stateOfDigest = defineQuery({
  name: 'store-digest',
  sql: 'SELECT state FROM digest_states FINAL WHERE digest_id = {digestId:String}',
  params: z.object({ digestId: z.string() }),
  row: z.object({ state: z.string() }),
});

export const storeSize = defineQuery({
  name: 'store-size',
  sql: `
SELECT
    (SELECT count() FROM readings FINAL) AS readings,
    (SELECT sum(byteSize(finding, waste_classes, query_peaks)) FROM readings FINAL) AS reading_bytes,
    count() AS profiles,
    sum(profile_bytes) AS profile_bytes,
    toUnixTimestamp64Micro(min(at)) AS oldest_micros
FROM profiles FINAL
WHERE at >= fromUnixTimestamp64Micro({oldestMicros:Int64})`,
  params: z.object({ oldestMicros: z.number() }),
  row: z
    .object({
      readings: Int64,
      reading_bytes: Int64,
      profiles: Int64,
      profile_bytes: Int64,
      oldest_micros: Int64,
    })
    .transform((row) => ({
      readings: row.readings,
      profiles: row.profiles,
      bytes: row.reading_bytes + row.profile_bytes,
      oldestMicros: row.oldest_micros,
    })),
});

export const countsOfInvestigation = defineQuery({
  name: 'store-forget-counts',
  sql: `
SELECT
    (SELECT count() FROM readings FINAL WHERE investigation_id = {investigationId:String}) AS readings,
    (SELECT count() FROM profiles FINAL WHERE investigation_id = {investigationId:String}) AS profiles`,
  params: z.object({ investigationId: z.string() }),
  row: z.object({ readings: Int64, profiles: Int64 }),
});

/** Rewrites the parts at once: what is forgotten is not left on the disk. */
export const FORGET_STATEMENTS: readonly string[] = [
  'ALTER TABLE readings DELETE WHERE investigation_id = {investigationId:String}',
  'ALTER TABLE profiles DELETE WHERE investigation_id = {investigationId:String}',
];

export const FORGET_DIGEST = 'ALTER TABLE digest_states DELETE WHERE digest_id = {digestId:String}';
