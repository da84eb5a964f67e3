import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { abilitiesOf } from '../../jobs/abilities.ts';
import { createAsk } from '../../jobs/ask.ts';
import { createGaps } from '../../jobs/gaps.ts';
import { jobs } from '../../jobs/index.ts';
import { readCapabilities } from '../../jobs/probe.ts';
import { type Capabilities, tableState } from '../../src/capabilities.ts';
import { createFakeClickHouse, type FakeAnswers } from '../fakes/fake-clickhouse.ts';
import { jobContext } from '../support/job-context.ts';
import { serverAges } from '../support/server-ages.ts';

const probe = (answers: FakeAnswers): Promise<Capabilities> => {
  const context = jobContext({ clickhouse: createFakeClickHouse(answers) });
  return readCapabilities(createAsk('prod', context, createGaps()));
};
const ageOf = (version: string) => serverAges.get(version) as FakeAnswers;

describe('abilities', () => {
  it('of servers of five ages: which verbs work, and what is said of the rest', async () => {
    const lines: string[] = [];
    for (const [version, answers] of serverAges) {
      lines.push(version);
      for (const { verb, works, says } of abilitiesOf(await probe(answers))) {
        lines.push(`  ${verb.padEnd(7)} ${works.padEnd(7)} ${says.join('. ')}`.trimEnd());
      }
    }
    const matrix = `${lines.join('\n')}\n`;
    console.log(matrix);
    await expect(matrix).toMatchFileSnapshot('../golden/probe/abilities.txt');
  });

  it('are in the README as they are', async () => {
    const words = { fully: 'yes', partly: 'partly', no: 'no' };
    const cells = new Map<string, string[]>();
    for (const answers of serverAges.values()) {
      for (const { verb, works } of abilitiesOf(await probe(answers))) {
        cells.set(verb, [...(cells.get(verb) ?? []), words[works]]);
      }
    }
    const rows = [...cells]
      .filter(([verb]) => jobs.some(({ name }) => name === verb))
      .map(([verb, row]) => `| \`${verb}\` | ${row.join(' | ')} |`);
    const readme = readFileSync(
      join(dirname(createRequire(import.meta.url).resolve('#package')), 'README.md'),
      'utf8',
    );
    expect(readme).toContain(rows.join('\n'));
  });

  it('name the grant that is missing', async () => {
    const capabilities = await probe({
      ...ageOf('26.9.1.1'),
      'probe-columns': [{ table: 'jemalloc_bins', name: 'index', type: 'UInt16' }],
      'probe-grants': [{ 'GRANTS FOR memprof': 'GRANT SELECT ON system.jemalloc_bins TO memprof' }],
    });
    const says = abilitiesOf(capabilities).flatMap((ability) => ability.says);
    expect(says.join('\n')).toMatch(/GRANT SELECT ON system.trace_log/);
    expect(says.join('\n')).toMatch(/GRANT SELECT ON system.jemalloc_profile_text/);
    expect(says.join('\n')).toMatch(/GRANT SYSTEM JEMALLOC ON \*\.\*/);
  });
});

describe('readCapabilities', () => {
  it('knows what is in force from what is measured', async () => {
    const wanted = await probe({ ...ageOf('26.9.1.1'), 'probe-profiler': [] });
    expect(wanted).toMatchObject({ isProfiledGlobally: true, samplingIntervalBytes: 2 ** 17 });
    const measured = await probe({
      ...ageOf('26.9.1.1'),
      'probe-profiler': [
        { metric: 'jemalloc.prof.thread_active_init', value: 0 },
        { metric: 'jemalloc.prof.lg_sample', value: 16 },
      ],
    });
    expect(measured).toMatchObject({ isProfiledGlobally: false, samplingIntervalBytes: 2 ** 16 });
  });

  it('leaves unknown what a server does not tell', async () => {
    const capabilities = await probe({});
    expect(capabilities).toMatchObject({
      version: '',
      grants: undefined,
      isProfiledGlobally: undefined,
      samplingIntervalBytes: undefined,
    });
    expect(abilitiesOf(capabilities).map(({ works }) => works)).toEqual(
      abilitiesOf(capabilities).map(() => 'no'),
    );
  });

  it.each([
    ['GRANT SELECT ON *.* TO memprof', 'absent'],
    ['GRANT SHOW, SELECT, INSERT ON *.* TO memprof WITH GRANT OPTION', 'absent'],
    ['GRANT SELECT ON system.* TO memprof', 'absent'],
    ['GRANT SELECT ON system.trace_log TO memprof', 'absent'],
    ['GRANT SELECT ON system.trace_log_old TO memprof', 'unseen'],
    ['GRANT SELECT ON default.* TO memprof', 'unseen'],
    ['GRANT INSERT ON system.* TO memprof', 'unseen'],
  ])('takes a table that is not listed for one that %s makes %s', async (grant, state) => {
    const capabilities = await probe({ 'probe-grants': [{ grants: grant }] });
    expect(tableState(capabilities, 'trace_log')).toBe(state);
  });
});
