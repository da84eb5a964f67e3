import { holderName } from '../../src/allocator/holder-name.ts';
import type { HeldClass } from '../../src/allocator/waste-shares.ts';
import { wasteStacks } from '../../src/allocator/waste-shares.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';
import type { Figures, Reading, WasteClassReading } from '../../src/reading.ts';
import type { WasteMeasurement } from './measure.ts';

/** Classes that a reading keeps; the rest is in its total. */
const CLASSES_KEPT = 20;

export function toReading(
  measurement: WasteMeasurement,
  about: Pick<Reading, 'investigationId' | 'finding'> & Partial<Pick<Reading, 'queryPeaks'>>,
): Reading {
  const { fragmentation, bins, serverStartedAtMicros } = measurement;
  const { waste, shares } = fragmentation;
  const arenas = bins.flatMap(({ arena }) => (arena === undefined ? [] : [arena]));
  return {
    investigationId: about.investigationId,
    target: measurement.target,
    kind: 'frag',
    subject: '',
    atMicros: measurement.readAtMicros,
    finding: about.finding,
    figures: {
      ...wholeBytes(measurement.figures),
      wasteBytes: waste.totalWasteBytes,
      dedicatedWasteBytes: waste.dedicatedWasteBytes,
      attributedBytes: shares.attributedBytes,
    },
    arenas: [...new Set(arenas)].sort((a, b) => a - b),
    wasteClasses: shares.classes
      .filter(({ wasteBytes }) => wasteBytes > 0)
      .slice(0, CLASSES_KEPT)
      .map(toClassReading),
    queryPeaks: about.queryPeaks ?? [],
    ...(serverStartedAtMicros === undefined ? {} : { serverStartedAtMicros }),
  };
}

/** The fragmentation flame graph as a profile: its total is the total waste. */
export function toWasteProfile({ fragmentation }: WasteMeasurement): Profile {
  const { shares, samplingIntervalBytes, holderSource } = fragmentation;
  const builder = new TreeBuilder();
  const stacks = wasteStacks(shares).filter(({ wasteBytes }) => wasteBytes > 0);
  for (const { stack, wasteBytes } of stacks) builder.add(stack, { bytes: wasteBytes });
  const sampleCount = shares.classes.reduce((sum, held) => sum + held.sampleCount, 0);
  const tree = builder.build();
  return {
    kind: 'sampled_allocations',
    tree,
    unit: 'bytes',
    totalBytes: shares.totalBytes,
    totalCount: 0,
    stackCount: stacks.length,
    unsampled: true,
    skippedLines: 0,
    firstSkipped: [],
    notes: [
      'Bytes are waste: room in slabs that old objects of the stack keep from being returned.',
    ],
    ...(holderSource === 'none' ? {} : { sampleCount }),
    ...(samplingIntervalBytes === undefined ? {} : { samplingIntervalBytes }),
  };
}

function toClassReading(held: HeldClass): WasteClassReading {
  const { arena, purpose, sizeBytes, wasteBytes, utilisation, holders } = held;
  const [first] = holders;
  return {
    ...{ purpose, sizeBytes, wasteBytes, utilisation },
    holder: first === undefined ? '' : holderName(first.stack),
    ...(arena === undefined ? {} : { arena }),
  };
}

/** Servers measure some bytes with a fraction. */
function wholeBytes(figures: WasteMeasurement['figures']): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, bytes]) => [name, Math.round(bytes)]),
  );
}
