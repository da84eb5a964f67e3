import type { Profile } from '../profile/profile.ts';

/** What the JSON of every file verb begins with. Amounts are un-sampled unless it says otherwise. */
export type ProfileSummary = Pick<
  Profile,
  'kind' | 'unsampled' | 'totalBytes' | 'totalCount' | 'stackCount' | 'skippedLines' | 'notes'
> & {
  /** Null when the source does not tell. */
  readonly sampleCount: number | null;
  readonly samplingIntervalBytes: number | null;
  readonly firstSkipped: Profile['firstSkipped'];
};

export function profileSummary(profile: Profile): ProfileSummary {
  const { kind, unsampled, totalBytes, totalCount, stackCount } = profile;
  const { skippedLines, firstSkipped, notes } = profile;
  return {
    ...{ kind, unsampled, totalBytes, totalCount, stackCount },
    sampleCount: profile.sampleCount ?? null,
    samplingIntervalBytes: profile.samplingIntervalBytes ?? null,
    ...{ skippedLines, firstSkipped, notes },
  };
}
