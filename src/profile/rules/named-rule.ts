/**
 * Which functions mean a subsystem. Words are parts of qualified names between `::`, matched whole, * stands for
 * anything within a part: `HashJoin` finds DB::HashJoin::addBlockToJoin, `IMergeTreeDataPart::load*` finds two parts
 * in a row.
 */
export interface NamedRule {
  readonly subsystem: string;
  readonly words: string;
}
