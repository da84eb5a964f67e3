import { type DrawnTree, drawnTree } from '../../src/flame/drawn-tree.ts';
import { type FlameBox, type FlameLayout, layoutFlame } from '../../src/flame/layout.ts';
import {
  BOX_TEXT,
  darker,
  NEUTRAL_COLOUR,
  OTHER_COLOUR,
  subsystemColour,
} from '../../src/flame/palette.ts';
import { formatBytes, formatCount, formatCountOf, formatShare } from '../../src/format.ts';
import type { FlameRequest } from '../../src/picture-request.ts';
import { confidenceOf } from '../../src/profile/confidence.ts';
import { chartLimits, type Detail, FLAME_WIDTH_PX, type FlameCard } from './flame-card.ts';
import type { BoxPaint } from './flame-chart.ts';
import { flamePanel } from './flame-panel.ts';

const SITE_LIMIT = 7;

/** A flame graph, an icicle unless asked otherwise, with its panel: see `drawn-tree.ts` and `layout.ts` for what it shows. */
export function flameCardOf(
  request: FlameRequest,
  detail: Detail,
  panelOf: (drawn: DrawnTree) => FlameCard['panel'] = (drawn) => flamePanel(drawn, request.measure),
): FlameCard {
  const { profile, measure, text, theme = 'dark', widthPx = FLAME_WIDTH_PX } = request;
  const isRaw = request.raw === true;
  const limits = chartLimits({ widthPx, detail, isRaw });
  const drawn = drawnTree(profile.tree, {
    ...{ measure, isRaw },
    extraRules: request.extraRules ?? [],
    siteLimit: SITE_LIMIT,
    leastWidth: limits.leastWidth,
  });
  const layout = layoutFlame(drawn.tree, {
    ...limits,
    measure,
    fixedRows: drawn.hasSubsystemRow ? 2 : 1,
  });
  return {
    ...{ layout, theme, widthPx },
    text: { ...text, footer: [...remarksOf(request, drawn, layout), ...text.footer] },
    isUpsideDown: request.orientation === 'flame',
    paint: (box) => paintOf(box, layout, { measure, hasSubsystemRow: drawn.hasSubsystemRow }),
    panel: panelOf(drawn),
    whyEmpty: whyEmpty(request),
  };
}

interface PaintOptions {
  readonly measure: 'bytes' | 'count';
  readonly hasSubsystemRow: boolean;
}

function paintOf(
  box: FlameBox,
  layout: FlameLayout,
  { measure, hasSubsystemRow }: PaintOptions,
): BoxPaint {
  return {
    fill: fillOf(box, hasSubsystemRow),
    textFill: BOX_TEXT,
    names: namesOf(box, `all · ${formatValue(layout.total, measure)}`),
    amounts: [formatShare(box.width)],
    exact: `${formatValue(box.value, measure)}, ${formatShare(box.width)} of all`,
  };
}

/** What stands for a box: its frames, or what it sums. */
export function namesOf({ kind, frames }: FlameBox, rootName: string): readonly string[] {
  if (kind === 'frame') return frames;
  return [kind === 'root' ? rootName : 'other'];
}

function fillOf(box: FlameBox, hasSubsystemRow: boolean): string {
  if (box.kind === 'root') return NEUTRAL_COLOUR;
  if (box.kind === 'other') return OTHER_COLOUR;
  const colour = hasSubsystemRow ? subsystemColour(box.branch) : NEUTRAL_COLOUR;
  return box.row % 2 === 0 ? darker(colour) : colour;
}

function remarksOf(
  { profile, measure }: FlameRequest,
  { strippedFunctions }: DrawnTree,
  layout: FlameLayout,
): readonly string[] {
  const remarks = [`100% = ${formatValue(layout.total, measure)}`];
  if (strippedFunctions > 0) {
    remarks.push(`${formatCountOf(strippedFunctions, 'allocator and thread function')} left out`);
  }
  remarks.push(...layoutRemarks(layout));
  if (profile.skippedLines > 0) {
    remarks.push(`${formatCountOf(profile.skippedLines, 'line')} of the input left out`);
  }
  if (confidenceOf(profile.sampleCount).isWeak) {
    remarks.push(`weak: only ${formatCountOf(profile.sampleCount ?? 0, 'sample')}`);
  }
  return remarks;
}

/** What a chart does not show one by one. */
export function layoutRemarks({ foldedFrames, hiddenRows }: FlameLayout): readonly string[] {
  return [
    ...(foldedFrames > 0 ? [`${formatCountOf(foldedFrames, 'frame')} folded into chains (›)`] : []),
    ...(hiddenRows > 0 ? [`+${formatCountOf(hiddenRows, 'deeper row')} not drawn`] : []),
  ];
}

function whyEmpty({ profile, measure }: FlameRequest): string {
  const what = measure === 'count' ? 'objects' : 'bytes';
  return profile.stackCount === 0
    ? 'The profile has no stacks.'
    : `The ${formatCountOf(profile.stackCount, 'stack')} of this profile hold no ${what}.`;
}

export function formatValue(value: number, measure: 'bytes' | 'count'): string {
  return measure === 'bytes' ? formatBytes(value) : `${formatCount(value)} objects`;
}
