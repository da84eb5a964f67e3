import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { DecimalText, Float64, Int64, nullable } from './columns.ts';

const COLUMNS = `
    investigation_id,
    target,
    kind,
    subject,
    toUnixTimestamp64Micro(at) AS at_micros,
    toUnixTimestamp64Micro(server_started_at) AS server_started_at_micros,
    finding,
    waste_bytes,
    dedicated_waste_bytes,
    attributed_bytes,
    allocated_bytes,
    active_bytes,
    resident_bytes,
    rss_bytes,
    estimate_bytes,
    server_peak_bytes,
    arenas,
    waste_classes,
    query_peaks`;

const Row = z
  .object({
    investigation_id: z.string(),
    target: z.string(),
    kind: z.string(),
    subject: z.string(),
    at_micros: Int64,
    server_started_at_micros: nullable(Int64),
    finding: z.string(),
    waste_bytes: nullable(Int64),
    dedicated_waste_bytes: nullable(Int64),
    attributed_bytes: nullable(Int64),
    allocated_bytes: nullable(Int64),
    active_bytes: nullable(Int64),
    resident_bytes: nullable(Int64),
    rss_bytes: nullable(Int64),
    estimate_bytes: nullable(Int64),
    server_peak_bytes: nullable(Int64),
    arenas: z.array(Int64),
    waste_classes: z.array(
      z.object({
        arena: nullable(Int64),
        purpose: z.string(),
        size_bytes: Int64,
        waste_bytes: Int64,
        utilisation: Float64,
        holder: z.string(),
      }),
    ),
    query_peaks: z.array(
      z.object({
        query_hash: DecimalText,
        query_id: z.string(),
        user: z.string(),
        peak_bytes: Int64,
        runs: Int64,
      }),
    ),
  })
  .transform((row) => ({
    investigationId: row.investigation_id,
    target: row.target,
    kind: row.kind,
    subject: row.subject,
    atMicros: row.at_micros,
    serverStartedAtMicros: row.server_started_at_micros,
    finding: row.finding,
    figures: {
      wasteBytes: row.waste_bytes,
      dedicatedWasteBytes: row.dedicated_waste_bytes,
      attributedBytes: row.attributed_bytes,
      allocatedBytes: row.allocated_bytes,
      activeBytes: row.active_bytes,
      residentBytes: row.resident_bytes,
      rssBytes: row.rss_bytes,
      estimateBytes: row.estimate_bytes,
      serverPeakBytes: row.server_peak_bytes,
    },
    arenas: row.arenas,
    wasteClasses: row.waste_classes.map((one) => ({
      arena: one.arena,
      purpose: one.purpose,
      sizeBytes: one.size_bytes,
      wasteBytes: one.waste_bytes,
      utilisation: one.utilisation,
      holder: one.holder,
    })),
    queryPeaks: row.query_peaks.map((one) => ({
      queryHash: one.query_hash,
      queryId: one.query_id,
      user: one.user,
      peakBytes: one.peak_bytes,
      runs: one.runs,
    })),
  }));

/** Readings of one series between two moments, newest first. */
export const readingsOfSeries = defineQuery({
  name: 'store-readings',
  sql: `
SELECT${COLUMNS}
FROM readings FINAL
WHERE kind = {kind:String} AND target = {target:String} AND subject = {subject:String}
    AND at >= fromUnixTimestamp64Micro({sinceMicros:Int64})
    AND at < fromUnixTimestamp64Micro({beforeMicros:Int64})
ORDER BY at DESC, investigation_id
LIMIT {limit:UInt32}`,
  params: z.object({
    kind: z.string(),
    target: z.string(),
    subject: z.string(),
    sinceMicros: z.number(),
    beforeMicros: z.number(),
    limit: z.number(),
  }),
  row: Row,
});

export const readingsOfInvestigation = defineQuery({
  name: 'store-investigation',
  sql: `
SELECT${COLUMNS}
FROM readings FINAL
WHERE investigation_id = {investigationId:String}
ORDER BY kind, target, subject`,
  params: z.object({ investigationId: z.string() }),
  row: Row,
});
