/**
 * `node dist/test/bench/answer.js`: how long a person waits from the command to the finished message with both
 * pictures and the files, beside what of it ClickHouse itself worked.
 */
import { startWorld, type World } from './world.ts';

const RUNS = 5;
const ANSWER_MS = 60_000;

await using world = await startWorld();
world.workspace.setDelivery({
  mode: 'http',
  url: `http://127.0.0.1:${world.botPort}/slack/events`,
});
const rows: { total: number; clickhouse: number }[] = [];
for (let run = 0; run <= RUNS; run += 1) {
  const row = await answerOnce(world, run);
  // The first one meets cold processes.
  console.log(
    `${run === 0 ? 'cold ' : `run ${run}`}: ${row.total.toFixed(0)} ms, of which ClickHouse ${row.clickhouse.toFixed(0)} ms, memprof ${(row.total - row.clickhouse).toFixed(0)} ms`,
  );
  if (run > 0) rows.push(row);
}
const worst = Math.max(...rows.map(({ total, clickhouse }) => total - clickhouse));
console.log(
  `from command to finished message, without ClickHouse's own time: ${worst.toFixed(0)} ms at most`,
);

async function answerOnce({ workspace, engine, queries }: World, run: number) {
  const query = queries[run % queries.length];
  const channel = workspace.channels.dbOncall;
  const before = new Set(workspace.messages(channel).map(({ ts }) => ts));
  const sinceMicros = Date.now() * 1000;
  const startedAt = performance.now();
  await workspace.command({
    user: workspace.users.dana,
    channel,
    text: `/memprof peak ${query?.queryId}`,
  });
  await workspace.waitFor(() => {
    const root = workspace.messages(channel).find(({ ts }) => !before.has(ts));
    return root !== undefined && root.blocks.filter(({ type }) => type === 'image').length === 2;
  }, ANSWER_MS);
  const total = performance.now() - startedAt;
  await engine.client.run('SYSTEM FLUSH LOGS query_log');
  const [row] = await engine.client.rows<{ ms: number }>(
    `SELECT toFloat64(sum(query_duration_ms)) AS ms FROM system.query_log
     WHERE type = 'QueryFinish' AND startsWith(log_comment, 'memprof ')
       AND event_time_microseconds >= fromUnixTimestamp64Micro({since:Int64})`,
    { since: String(sinceMicros) },
  );
  return { total, clickhouse: row?.ms ?? 0 };
}
