import {
  readingsOfInvestigation,
  readingsOfSeries,
} from '../../../templates/sql/store-readings.ts';
import type { Store } from '../../ports.ts';
import type { Reading } from '../../reading.ts';
import type { EpochMicros } from '../../units.ts';
import { ReadingSchema } from '../reading-schema.ts';
import type { StoreConnection } from './connection.ts';
import { dateTime64 } from './date-time.ts';

type Readings = Pick<Store, 'keepReading' | 'readings' | 'readingsOf'>;

/** DateTime64(6) goes further; a double of microseconds does not. */
const END_OF_TIME_MICROS: EpochMicros = 9e15;

export function readingsIn({ insert, rows }: StoreConnection): Readings {
  return {
    keepReading: (reading) => insert('readings', toRow(reading)),

    async readings({ target, kind, subject = '', sinceMicros = 0, beforeMicros, limit }) {
      const found = await rows(readingsOfSeries, {
        ...{ target, kind, subject, sinceMicros, limit },
        beforeMicros: beforeMicros ?? END_OF_TIME_MICROS,
      });
      return found.map((row) => ReadingSchema.parse(row));
    },

    async readingsOf(investigationId) {
      const found = await rows(readingsOfInvestigation, { investigationId });
      return found.map((row) => ReadingSchema.parse(row));
    },
  };
}

/** Absent figures are NULL: JSONEachRow fills what is left out with defaults. */
function toRow(reading: Reading): Readonly<Record<string, unknown>> {
  const { figures, serverStartedAtMicros } = reading;
  return {
    investigation_id: reading.investigationId,
    target: reading.target,
    kind: reading.kind,
    subject: reading.subject,
    at: dateTime64(reading.atMicros),
    server_started_at:
      serverStartedAtMicros === undefined ? null : dateTime64(serverStartedAtMicros),
    finding: reading.finding,
    waste_bytes: figures.wasteBytes,
    dedicated_waste_bytes: figures.dedicatedWasteBytes,
    attributed_bytes: figures.attributedBytes,
    allocated_bytes: figures.allocatedBytes,
    active_bytes: figures.activeBytes,
    resident_bytes: figures.residentBytes,
    rss_bytes: figures.rssBytes,
    estimate_bytes: figures.estimateBytes,
    server_peak_bytes: figures.serverPeakBytes,
    arenas: reading.arenas,
    waste_classes: reading.wasteClasses.map((one) => ({
      arena: one.arena ?? null,
      purpose: one.purpose,
      size_bytes: one.sizeBytes,
      waste_bytes: one.wasteBytes,
      utilisation: one.utilisation,
      holder: one.holder,
    })),
    query_peaks: reading.queryPeaks.map((one) => ({
      query_hash: one.queryHash,
      query_id: one.queryId,
      user: one.user,
      peak_bytes: one.peakBytes,
      runs: one.runs,
    })),
  };
}
