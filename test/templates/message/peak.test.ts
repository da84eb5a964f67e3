import { describe, expect, it } from 'vitest';
import { confidenceOf } from '../../../src/profile/confidence.ts';
import {
  mainHolder,
  type PeakAnswer,
  peakCoverage,
  peakFinding,
  peakHead,
  peakTail,
} from '../../../templates/message/peak.ts';
import { messageAsText } from '../../../templates/text/message.ts';

const GIB = 2 ** 30;
const atMicros = 1_790_000_000_000_000;

const answer: PeakAnswer = {
  target: 'chi-3',
  queryId: '8678d8fe',
  user: 'etl',
  statement: 'SELECT user_id, uniqExact(url) FROM hits WHERE day = ? GROUP BY user_id',
  startMicros: atMicros,
  durationMs: 12_400,
  exceptionCode: 0,
  estimateBytes: 90.7 * GIB,
  serverPeakBytes: 93.1 * GIB,
  peaks: [
    { atMicros: atMicros + 9_000_000, liveBytes: 90.7 * GIB },
    { atMicros: atMicros + 2_000_000, liveBytes: 40 * GIB },
  ],
  sampleType: 'JemallocSample',
  liveSampleCount: 1834,
  sampleCount: 5120,
  samplingIntervalBytes: 2 ** 19,
  subsystems: [
    { subsystem: 'aggregation', bytes: 71 * GIB, count: 9, share: 0.78, ...confidenceOf(1400) },
    { subsystem: 'reading', bytes: 18 * GIB, count: 4, share: 0.2, ...confidenceOf(431) },
    { subsystem: 'unexplained', bytes: 1.7 * GIB, count: 1, share: 0.02, ...confidenceOf(3) },
  ],
  sites: [
    {
      name: 'DB::Aggregator::executeOnBlock(Columns, size_t) const',
      ...{ selfBytes: 60 * GIB, totalBytes: 71 * GIB, selfCount: 12, totalCount: 14 },
      ...confidenceOf(1200),
    },
    {
      name: 'DB::Arena::addMemoryChunk(size_t)',
      ...{ selfBytes: 1.5 * GIB, totalBytes: 1.5 * GIB, selfCount: 2, totalCount: 2 },
      ...confidenceOf(3),
    },
  ],
  advice: {
    subsystem: 'aggregation',
    because: 'the statement counts distinct values exactly',
    tryNext: 'Use uniqCombined64 or uniq where 1 % of error is fine',
  },
  missing: [],
  notes: ['The id was used for 2 runs; this is the latest'],
  symbolSource: 'trace_log.symbols',
  serverVersion: '26.7.2.1',
  investigationId: 'k7f2m9qd',
  askedBy: 'shell',
};

describe('the message of peak', () => {
  it('reads like this', async () => {
    await expect(messageAsText([...peakHead(answer), ...peakTail(answer)])).toMatchFileSnapshot(
      '../../golden/messages/peak.txt',
    );
  });

  it('begins with a finding that stands alone', () => {
    expect(peakFinding(answer)).toBe(
      'Query 8678d8fe held about 90.70 GiB at its peak on chi-3, 78% of it in aggregation (71.00 GiB).',
    );
    expect(peakFinding({ ...answer, exceptionCode: 241 })).toContain(
      '; the memory limit then stopped it.',
    );
    expect(peakFinding({ ...answer, exceptionCode: 159 })).toContain(
      '; it then failed with code 159.',
    );
    expect(peakFinding({ ...answer, liveSampleCount: 4 })).toContain(' (weak: 4 samples).');
    expect(peakFinding({ ...answer, subsystems: [] })).toBe(
      'Query 8678d8fe held about 90.70 GiB at its peak on chi-3.',
    );
  });

  it('names no unexplained part as the finding while a known one comes near', () => {
    const [aggregation, reading, unexplained] = answer.subsystems as [never, never, never];
    const by = (...shares: readonly number[]) =>
      [unexplained, aggregation, reading].map((row: object, index) => ({
        ...row,
        share: shares[index] ?? 0,
      })) as unknown as PeakAnswer['subsystems'];
    expect(mainHolder({ subsystems: by(0.5, 0.4, 0.1) })?.subsystem).toBe('aggregation');
    expect(mainHolder({ subsystems: by(0.8, 0.1, 0.1) })?.subsystem).toBe('unexplained');
  });

  it('doubts itself in the finding where the server counted something else', () => {
    const above = { ...answer, estimateBytes: 40 * GIB, serverPeakBytes: 4 * GIB };
    expect(peakFinding(above)).toContain('; the server itself counted only 4.00 GiB.');
    expect(messageAsText(peakHead(above))).toContain('The estimate is far above the count');
    const below = { ...answer, estimateBytes: 4 * GIB, serverPeakBytes: 40 * GIB };
    expect(peakFinding(below)).toContain('; the server itself counted 40.00 GiB.');
    expect(messageAsText(peakHead(below))).toContain('The estimate is far below the count');
  });

  it('never puts the peak behind the end of the query', () => {
    const late = {
      ...answer,
      durationMs: 5,
      peaks: [{ atMicros: atMicros + 29_000, liveBytes: 1 }],
    };
    expect(messageAsText(peakHead(late))).toContain('5 ms into a run of 5 ms');
  });

  it('makes up no coverage where the server did not count', () => {
    expect(peakCoverage({ estimateBytes: 5, serverPeakBytes: 0 })).toBeUndefined();
    const head = messageAsText(peakHead({ ...answer, serverPeakBytes: 0 }));
    expect(head).toContain('the server did not count it itself');
  });

  it('shows hostile text as text', () => {
    const hostile = {
      ...answer,
      queryId: '<!channel> *x* `y`',
      user: '<@U1>',
      statement: '</script>',
    };
    const blocks = JSON.stringify([...peakHead(hostile), ...peakTail(hostile)]);
    expect(blocks).not.toContain('<!channel>');
    expect(blocks).not.toContain('<@U1>');
  });

  it('has buttons with different ids, as Slack demands', () => {
    const actions = peakTail(answer).find(({ type }) => type === 'actions');
    const ids = actions?.type === 'actions' ? actions.elements.map((each) => each.action_id) : [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(['ask', 'ask:2']);
  });
});
