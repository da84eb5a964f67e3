import { expect, it } from 'vitest';
import { abilitiesOf } from '../../jobs/abilities.ts';
import { createAsk } from '../../jobs/ask.ts';
import { createGaps } from '../../jobs/gaps.ts';
import { readCapabilities } from '../../jobs/probe.ts';
import { createClickHouse } from '../../src/clickhouse/client.ts';
import { readConfig } from '../../src/config.ts';
import { startTestEngine } from '../support/engine.ts';
import { jobContext } from '../support/job-context.ts';

it('tells of the real engine, 26.7.2.1, what works and what is said of the rest', async () => {
  await using engine = await startTestEngine();
  const { memprof } = engine.users;
  const targets = { prod: { ...memprof, url: engine.url } };
  await using clickhouse = createClickHouse(readConfig(JSON.stringify({ targets }), {}, 'test'));
  const gaps = createGaps();
  const capabilities = await readCapabilities(createAsk('prod', jobContext({ clickhouse }), gaps));
  const lines = abilitiesOf(capabilities).map(({ verb, works, says }) =>
    `  ${verb.padEnd(7)} ${works.padEnd(7)} ${says.join('. ')}`.trimEnd(),
  );
  const matrix = `${capabilities.version}\n${lines.join('\n')}\n`;
  console.log(matrix);
  await expect(matrix).toMatchFileSnapshot('../golden/probe/abilities-engine.txt');
});
