import type { Bytes, Count, Share } from '../units.ts';
import type { Fragmentation } from './fragmentation.ts';
import { bareName } from './holder-name.ts';
import { type AgeName, addAges, ageNames, noAges } from './object-age.ts';
import { unknownRule, type WasteRule, wasteRules } from './waste-rules.ts';
import { type HeldClass, OTHER_HOLDERS, type WasteHolder } from './waste-shares.ts';

export interface WasteCause extends Omit<WasteRule, 'pattern'> {
  /** The figures that the rule rests on. */
  readonly evidence: {
    readonly wasteBytes: Bytes;
    /** Of all waste in scope. */
    readonly shareOfWaste: Share;
    readonly objectCount: Count;
    readonly sampleCount: Count;
    /** The age that most of the objects have. */
    readonly age: AgeName;
    /** The holder with most of it, and its class. */
    readonly holder: WasteHolder;
    readonly held: HeldClass;
  };
}

/** The rule that speaks for most of the waste; undefined when nobody is known to hold anything. */
export function causeOf({ shares }: Fragmentation): WasteCause | undefined {
  const ruleOf = createRuleFinder();
  const groups = new Map<Omit<WasteRule, 'pattern'>, Held[]>();
  for (const held of shares.classes) {
    for (const holder of held.holders) {
      if (holder.wasteBytes === 0 || holder.stack[0] === OTHER_HOLDERS) continue;
      const rule = ruleOf(holder.stack);
      groups.set(rule, [...(groups.get(rule) ?? []), { held, holder }]);
    }
  }
  const [first] = [...groups].sort(([, a], [, b]) => sumWaste(b) - sumWaste(a));
  if (first === undefined) return undefined;
  const [{ name, holder: who, cause, tryNext }, members] = first;
  return { name, holder: who, cause, tryNext, evidence: evidenceOf(members, shares.totalBytes) };
}

interface Held {
  readonly held: HeldClass;
  readonly holder: WasteHolder;
}

function evidenceOf(members: readonly Held[], totalBytes: Bytes): WasteCause['evidence'] {
  const wasteBytes = sumWaste(members);
  const ages = members.reduce((sum, { holder }) => addAges(sum, holder.ages), noAges);
  const top = members.reduce((most, one) =>
    one.holder.wasteBytes > most.holder.wasteBytes ? one : most,
  );
  return {
    wasteBytes,
    shareOfWaste: totalBytes === 0 ? 0 : wasteBytes / totalBytes,
    objectCount: members.reduce((sum, { holder }) => sum + holder.objectCount, 0),
    sampleCount: members.reduce((sum, { holder }) => sum + holder.sampleCount, 0),
    age: ageNames.reduce((most, name) => (ages[name] > ages[most] ? name : most), ageNames[0]),
    ...top,
  };
}

/** A frame is looked at once, however many stacks it stands in. */
function createRuleFinder(): (stack: readonly string[]) => Omit<WasteRule, 'pattern'> {
  const known = new Map<string, WasteRule | undefined>();
  const ruleOf = (frame: string): WasteRule | undefined => {
    if (!known.has(frame))
      known.set(
        frame,
        wasteRules.find(({ pattern }) => pattern.test(bareName(frame))),
      );
    return known.get(frame);
  };
  return (stack) => {
    for (let depth = stack.length - 1; depth >= 0; depth -= 1) {
      const rule = ruleOf(stack[depth] as string);
      if (rule !== undefined) return rule;
    }
    return unknownRule;
  };
}

function sumWaste(members: readonly Held[]): Bytes {
  return members.reduce((sum, { holder }) => sum + holder.wasteBytes, 0);
}
