/** What the front must do about a statement. */
export type StatementKind =
  | 'flush-profile'
  | 'flush-logs'
  | 'profile-text'
  | 'sampled-allocations'
  | 'other';

/** Tells the few statements that the front steps in for; everything else passes untouched. */
export function statementKind(sql: string): StatementKind {
  const text = withoutLeadingComments(sql).replace(/\s+/g, ' ');
  if (/^SYSTEM JEMALLOC FLUSH PROFILE\b/i.test(text)) return 'flush-profile';
  if (/^SYSTEM FLUSH LOGS\b/i.test(text)) return 'flush-logs';
  if (!/^(SELECT|WITH|EXPLAIN|\()/i.test(text)) return 'other';
  if (/\bjemalloc_profile_text\b/i.test(text)) return 'profile-text';
  if (/\bjemalloc_sampled_allocations\b/i.test(text)) return 'sampled-allocations';
  return 'other';
}

/** Whether both switches are on, as URL settings: inside the SQL they do not reach the thread that runs it. */
export function isSampledQuery(settings: URLSearchParams): boolean {
  const isOn = (name: string) => ['1', 'true'].includes(settings.get(name) ?? '');
  return isOn('jemalloc_enable_profiler') && isOn('jemalloc_collect_profile_samples_in_trace_log');
}

function withoutLeadingComments(sql: string): string {
  return sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '');
}
