import type { DrawnTree } from '../../src/flame/drawn-tree.ts';
import { OTHER_COLOUR, subsystemColour } from '../../src/flame/palette.ts';
import { formatBytes, formatCount, formatCountOf, formatShare } from '../../src/format.ts';
import { UNEXPLAINED } from '../../src/profile/subsystems.ts';
import type { FlameCard } from './flame-card.ts';
import {
  type FunctionLine,
  functionLines,
  functionLinesHeight,
  HEADING_PX,
  panelHeading,
  SECTION_GAP_PX,
  type SwatchLine,
  swatchLines,
  swatchLinesHeight,
} from './panel.ts';

const SUBSYSTEM_LIMIT = 6;

/** Beside the chart: what each subsystem holds, and where the most was asked for. */
export function flamePanel(drawn: DrawnTree, measure: 'bytes' | 'count'): FlameCard['panel'] {
  const subsystems = subsystemLines(drawn, measure);
  const sites = siteLines(drawn, measure);
  const sitesTopPx = HEADING_PX + swatchLinesHeight(subsystems.length) + SECTION_GAP_PX;
  return {
    heightPx: sitesTopPx + HEADING_PX + functionLinesHeight(sites.length),
    draw({ leftPx, topPx }, colours) {
      const sitesTop = topPx + sitesTopPx;
      return [
        panelHeading('By subsystem', { leftPx, topPx }, colours),
        swatchLines(subsystems, { leftPx, topPx: topPx + HEADING_PX }, colours),
        panelHeading('Top allocation sites', { leftPx, topPx: sitesTop }, colours),
        functionLines(sites, { leftPx, topPx: sitesTop + HEADING_PX }, colours),
      ];
    },
  };
}

/** The largest, the sum of the smaller ones, and always what no rule explains. */
function subsystemLines(
  { subsystems }: DrawnTree,
  measure: 'bytes' | 'count',
): readonly SwatchLine[] {
  const explained = subsystems.filter(({ subsystem }) => subsystem !== UNEXPLAINED);
  const unexplained = subsystems.filter(({ subsystem }) => subsystem === UNEXPLAINED);
  const shown = explained.length > SUBSYSTEM_LIMIT + 1 ? SUBSYSTEM_LIMIT : explained.length;
  const line = (row: Amounts, name: string, colour: string): SwatchLine => ({
    name,
    colour,
    share: formatShare(row.share),
    value: valueText(row, measure),
  });
  const named = (row: DrawnTree['subsystems'][number]) =>
    line(row, row.subsystem, subsystemColour(row.subsystem));
  const small = explained.slice(shown);
  return [
    ...explained.slice(0, shown).map(named),
    ...(small.length === 0 ? [] : [line(sumOf(small), `${small.length} smaller`, OTHER_COLOUR)]),
    ...unexplained.map(named),
  ];
}

interface Amounts {
  readonly bytes: number;
  readonly count: number;
  readonly share: number;
}

function sumOf(rows: readonly Amounts[]): Amounts {
  const sum = (key: keyof Amounts) => rows.reduce((total, row) => total + row[key], 0);
  return { bytes: sum('bytes'), count: sum('count'), share: sum('share') };
}

/** The functions that hold most, with their share of the whole. */
export function siteLines(drawn: DrawnTree, measure: 'bytes' | 'count'): readonly FunctionLine[] {
  const total = drawn.subsystems.reduce((sum, row) => sum + row[measure], 0);
  const holding = drawn.sites.filter(
    (site) => site[measure === 'bytes' ? 'selfBytes' : 'selfCount'] > 0,
  );
  return holding.map((site) => {
    const amounts = { bytes: site.selfBytes, count: site.selfCount };
    const weak = site.isWeak ? ` · ${formatCountOf(site.samples ?? 0, 'sample')}` : '';
    return {
      name: site.name,
      remark: `${formatShare(total === 0 ? 0 : amounts[measure] / total)}${weak}`,
      value: valueText(amounts, measure),
    };
  });
}

function valueText(
  row: { readonly bytes: number; readonly count: number },
  measure: 'bytes' | 'count',
): string {
  return measure === 'bytes' ? formatBytes(row.bytes) : formatCount(row.count);
}
