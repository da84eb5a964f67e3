import type { LedgerLevel } from './allocator/ledger.ts';
import type { WasteClass } from './allocator/waste.ts';
import type { LedgerHistory } from './chart/ledger-history.ts';
import type { MemoryCurve } from './chart/memory-curve.ts';
import type { Profile } from './profile/profile.ts';
import type { SubsystemRule } from './profile/subsystem-rule.ts';
import type { Bytes, Count, Px } from './units.ts';

/** Words around a picture. Plain text; the drawing escapes it. */
export interface PictureText {
  /** Subject and verdict: "Live heap at query peak · 8678d8fe". */
  readonly title: string;
  /** Target, value with unit, UTC time, what one sample stands for. */
  readonly subtitle: string;
  /** Investigation, server version, source of symbols … The drawing adds what it folded and stripped. */
  readonly footer: readonly string[];
}

export type Theme = 'dark' | 'light';

/** A flame graph of one profile. */
export interface FlameRequest {
  readonly kind: 'flame';
  readonly profile: Profile;
  readonly measure: 'bytes' | 'count';
  readonly text: PictureText;
  readonly theme?: Theme;
  /** Icicle (root on top) unless asked otherwise. */
  readonly orientation?: 'icicle' | 'flame';
  /** 1600 unless asked otherwise; text sizes stay the same in pixels. */
  readonly widthPx?: Px;
  /** True leaves every frame as it came: nothing trimmed, folded or grouped. */
  readonly raw?: boolean;
  /** Rules of the team's own, tried before the bundled ones. */
  readonly extraRules?: readonly SubsystemRule[];
}

/** Two profiles laid over each other: what grew, shrank, came and went. */
export interface DiffRequest {
  readonly kind: 'diff';
  readonly before: Profile;
  readonly after: Profile;
  readonly measure: 'bytes' | 'count';
  /** What the sides are called beside their totals: a time, a server, an investigation. */
  readonly names?: { readonly before: string; readonly after: string };
  readonly text: PictureText;
  readonly theme?: Theme;
  readonly orientation?: 'icicle' | 'flame';
  readonly widthPx?: Px;
  /** True compares every frame as it came: nothing trimmed, folded or grouped. */
  readonly raw?: boolean;
  readonly extraRules?: readonly SubsystemRule[];
}

/** A size class of an arena as the waste picture shows it. */
export type DrawnWasteClass = Pick<
  WasteClass,
  'arena' | 'purpose' | 'sizeBytes' | 'liveBytes' | 'wasteBytes'
>;

/** Fragmentation: who holds the waste, as a flame graph, beside the classes that it lies in. */
export interface WasteRequest {
  readonly kind: 'waste';
  /** Its bytes are waste, put down to the stacks that hold it. */
  readonly profile: Profile;
  /** Most waste first. */
  readonly classes: readonly DrawnWasteClass[];
  readonly text: PictureText;
  readonly theme?: Theme;
  readonly orientation?: 'icicle' | 'flame';
  readonly widthPx?: Px;
  readonly extraRules?: readonly SubsystemRule[];
}

/** The memory curve of a query with its peaks marked. */
export interface CurveRequest {
  readonly kind: 'curve';
  readonly curve: MemoryCurve;
  /** What the estimate at the peak is, for the label. */
  readonly estimateBytes: Bytes;
  /** Samples behind the curve; under ten it is drawn as weak. */
  readonly sampleCount?: Count;
  readonly text: PictureText;
  readonly theme?: Theme;
  readonly widthPx?: Px;
}

/** The account of a server's memory as bars, and its last hours as curves. */
export interface LedgerRequest {
  readonly kind: 'ledger';
  readonly levels: readonly LedgerLevel[];
  readonly history?: LedgerHistory;
  readonly text: PictureText;
  readonly theme?: Theme;
  readonly widthPx?: Px;
}

/** Plain data: it is cloned into a drawing thread. */
export type PictureRequest =
  | FlameRequest
  | DiffRequest
  | WasteRequest
  | CurveRequest
  | LedgerRequest;
