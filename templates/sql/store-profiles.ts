import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { readingKinds } from '../../src/reading.ts';
import { Int64 } from './columns.ts';

const Key = z.object({
  investigation_id: z.string(),
  target: z.string(),
  kind: z.enum(readingKinds),
  subject: z.string(),
  at_micros: Int64,
});

const toKey = (row: z.infer<typeof Key>) => ({
  investigationId: row.investigation_id,
  target: row.target,
  kind: row.kind,
  subject: row.subject,
  atMicros: row.at_micros,
});

const Series = {
  kind: z.string(),
  target: z.string(),
  subject: z.string(),
  oldestMicros: z.number(),
};

export const profilesOfInvestigation = defineQuery({
  name: 'store-profiles',
  sql: `
SELECT investigation_id, target, kind, subject, toUnixTimestamp64Micro(at) AS at_micros
FROM profiles FINAL
WHERE investigation_id = {investigationId:String}
    AND at >= fromUnixTimestamp64Micro({oldestMicros:Int64})
ORDER BY at DESC, kind, target, subject`,
  params: z.object({ investigationId: z.string(), oldestMicros: z.number() }),
  row: Key.transform(toKey),
});

export const profileOfKey = defineQuery({
  name: 'store-profile',
  sql: `
SELECT base64Encode(profile) AS profile
FROM profiles FINAL
WHERE kind = {kind:String} AND target = {target:String} AND subject = {subject:String}
    AND investigation_id = {investigationId:String}
    AND at >= fromUnixTimestamp64Micro({oldestMicros:Int64})`,
  params: z.object({ ...Series, investigationId: z.string() }),
  row: z.object({ profile: z.base64() }),
});

export const profileBeforeMoment = defineQuery({
  name: 'store-profile-before',
  sql: `
SELECT
    investigation_id,
    target,
    kind,
    subject,
    toUnixTimestamp64Micro(at) AS at_micros,
    base64Encode(profile) AS profile
FROM profiles FINAL
WHERE kind = {kind:String} AND target = {target:String} AND subject = {subject:String}
    AND at >= fromUnixTimestamp64Micro({oldestMicros:Int64})
    AND at < fromUnixTimestamp64Micro({beforeMicros:Int64})
ORDER BY at DESC, investigation_id
LIMIT 1`,
  params: z.object({ ...Series, beforeMicros: z.number() }),
  row: Key.extend({ profile: z.base64() }).transform((row) => ({
    key: toKey(row),
    profile: row.profile,
  })),
});

/** Rows come as JSONEachRow; the bytes as base64, since JSON holds no bytes. */
export const KEEP_PROFILE = `
INSERT INTO profiles
    (investigation_id, target, kind, subject, at, total_bytes, stack_count, sample_count,
    profile, profile_bytes, keep_until)
SELECT
    investigation_id, target, kind, subject, at, total_bytes, stack_count, sample_count,
    base64Decode(profile) AS bytes, length(bytes), keep_until
FROM input('investigation_id String, target String, kind String, subject String, at DateTime64(6, \\'UTC\\'), total_bytes Float64, stack_count UInt64, sample_count Nullable(UInt64), profile String, keep_until DateTime')
FORMAT JSONEachRow`;
