import type { LedgerFinding, LedgerRule } from './ledger-rule.ts';
import { allocatorRules } from './ledger-rules-allocator.ts';
import { holderRules } from './ledger-rules-holders.ts';
import { hostRules } from './ledger-rules-host.ts';
import type { MemoryFacts } from './memory-facts.ts';

/** THE TABLE of what gaps and figures usually mean. Rules are tried one by one; all that hold are said. */
export const ledgerRules: readonly LedgerRule[] = [...hostRules, ...allocatorRules, ...holderRules];

const WEIGHTS: readonly LedgerFinding['weight'][] = ['alarm', 'cause', 'note'];

/** Alarms first, then causes, then notes; in each the most bytes first. */
export function judge(facts: MemoryFacts): readonly LedgerFinding[] {
  return ledgerRules
    .flatMap((rule) => {
      const finding = rule.look(facts);
      return finding === undefined ? [] : [{ id: rule.id, ...finding }];
    })
    .sort((a, b) => WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight) || b.bytes - a.bytes);
}
