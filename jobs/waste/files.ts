import type { Fragmentation } from '../../src/allocator/fragmentation.ts';
import { wasteStacks } from '../../src/allocator/waste-shares.ts';
import type { OutgoingFile } from '../../src/ports.ts';
import type { WasteMeasurement } from './measure.ts';

/** The fragmentation flame graph as folded stacks, for other tools. */
export function stacksFile(target: string, { shares }: Fragmentation): OutgoingFile {
  const lines = wasteStacks(shares)
    .filter(({ wasteBytes }) => wasteBytes > 0)
    // A frame that holds the separator or a line break would become two.
    .map(({ stack, wasteBytes }) => `${stack.map(frameText).join(';')} ${wasteBytes}\n`);
  return {
    name: `${target}-waste.collapsed`,
    title: `Slab waste of ${target}, folded stacks`,
    bytes: Buffer.from(lines.join('')),
  };
}

/** Every bin with its counters, as a table. */
export function classesFile({ target, fragmentation }: WasteMeasurement): OutgoingFile {
  const { waste } = fragmentation;
  const rows = [...waste.classes, ...waste.dedicated].map((bin) => [
    bin.arena ?? '',
    bin.purpose,
    ...[bin.sizeBytes, bin.wasteBytes, bin.liveBytes, bin.utilisation.toFixed(4)],
    ...[bin.slabCount, bin.nonfullSlabs ?? '', bin.regionsPerSlab, bin.liveRegions],
  ]);
  return {
    name: `${target}-waste-classes.tsv`,
    title: `Slab waste of ${target} by arena and class`,
    bytes: Buffer.from([HEADER, ...rows].map((row) => `${row.join('\t')}\n`).join('')),
  };
}

const HEADER = [
  ...['arena', 'purpose', 'size_bytes', 'waste_bytes', 'live_bytes', 'utilisation'],
  ...['slabs', 'nonfull_slabs', 'regions_per_slab', 'live_regions'],
];

function frameText(frame: string): string {
  return frame.replace(/[;\r\n]/g, ':');
}
