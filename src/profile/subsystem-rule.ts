/** One row of a subsystem rule file: which frames mean which part of ClickHouse. */
export interface SubsystemRule {
  /** A name of the closed list in `subsystems.ts`, or a team's own. */
  readonly subsystem: string;
  /** Matched against whole frame names as they came, before shortening. */
  readonly pattern: RegExp;
}
