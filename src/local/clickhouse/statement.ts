/** What the engine's stand-ins have to bring up to date before a statement goes on. */
export type StandIn = 'logs' | 'profile-text' | 'sampled-allocations';

export type Statement =
  | { readonly kind: 'flush-profile' }
  | { readonly kind: 'other'; readonly reads: readonly StandIn[] };

/**
 * Tells the few statements that the front steps in for. Names of the tables are looked for anywhere: at worst, a
 * stand-in is brought up to date for a statement that only mentions it.
 */
export function readStatement(sql: string): Statement {
  const text = withoutLeadingComments(sql).replace(/\s+/g, ' ');
  if (/^SYSTEM JEMALLOC FLUSH PROFILE\b/i.test(text)) return { kind: 'flush-profile' };
  const reads: StandIn[] = [];
  if (/^SYSTEM FLUSH LOGS\b/i.test(text)) reads.push('logs');
  if (/\bjemalloc_profile_text\b/i.test(text)) reads.push('profile-text');
  if (/\bjemalloc_sampled_allocations\b/i.test(text)) reads.push('sampled-allocations');
  return { kind: 'other', reads };
}

/** Whether both switches are on, as URL settings: inside the SQL they do not reach the thread that runs it. */
export function isSampledQuery(settings: URLSearchParams): boolean {
  const isOn = (name: string) => ['1', 'true'].includes(settings.get(name) ?? '');
  return isOn('jemalloc_enable_profiler') && isOn('jemalloc_collect_profile_samples_in_trace_log');
}

function withoutLeadingComments(sql: string): string {
  return sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '');
}
