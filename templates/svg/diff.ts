import { type DiffTree, diffTree } from '../../src/flame/diff-tree.ts';
import { type FlameLayout, layoutFlame } from '../../src/flame/layout.ts';
import { formatShare } from '../../src/format.ts';
import type { DiffRequest } from '../../src/picture-request.ts';
import { changePaint, changeWords, gonePattern } from './change.ts';
import { diffPanel } from './diff-panel.ts';
import { formatValue, layoutRemarks, namesOf } from './flame.ts';
import { chartLimits, type Detail, FLAME_WIDTH_PX, type FlameCard } from './flame-card.ts';
import { themeColours } from './theme.ts';

/** Two profiles as one flame graph: a box is as wide as the larger of before and after, and says how it changed. */
export function diffCardOf(request: DiffRequest, detail: Detail): FlameCard {
  const { before, after, measure, text, theme = 'dark', widthPx = FLAME_WIDTH_PX } = request;
  const colours = themeColours[theme];
  const isRaw = request.raw === true;
  const diff = diffTree(before.tree, after.tree, {
    ...{ measure, isRaw },
    extraRules: request.extraRules ?? [],
  });
  const layout = layoutFlame(diff.tree, {
    ...chartLimits({ widthPx, detail, isRaw }),
    measure: 'bytes',
    fixedRows: diff.hasSubsystemRow ? 2 : 1,
    carried: [diff.beforeSelf, diff.afterSelf],
  });
  const rootName = `all · ${formatValue(diff.beforeTotal, measure)} → ${formatValue(diff.afterTotal, measure)}`;
  return {
    ...{ layout, theme, widthPx },
    text: { ...text, footer: [...remarksOf(diff, layout), ...text.footer] },
    isUpsideDown: request.orientation === 'flame',
    paint(box) {
      const [was = 0, is = 0] = box.carried;
      return {
        ...changePaint(was, is, colours),
        names: namesOf(box, rootName),
        amounts: changeWords(was, is, measure),
        exact: `${formatValue(was, measure)} → ${formatValue(is, measure)}: ${changeWords(was, is, measure)[0]}`,
      };
    },
    panel: diffPanel(diff, request),
    patterns: [gonePattern(colours)],
    whyEmpty: `Neither profile holds any ${measure === 'bytes' ? 'bytes' : 'objects'}.`,
  };
}

function remarksOf({ matchedShare, isDoubtful }: DiffTree, layout: FlameLayout): readonly string[] {
  return [
    'Width: the larger of before and after, stack by stack',
    ...layoutRemarks(layout),
    ...(isDoubtful
      ? [`only ${formatShare(matchedShare)} lies in functions that both profiles know`]
      : []),
  ];
}
