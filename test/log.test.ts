import { describe, expect, it } from 'vitest';
import { createLog } from '../src/log.ts';

function record(secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({
    name: 'worker',
    level: 'info',
    secrets,
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines };
}

describe('the log', () => {
  it('writes a line of JSON an event, with its level as a word', () => {
    const { log, lines } = record();
    log.info({ samples: 3 }, 'profile read');
    log.debug({}, 'not at this level');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'info',
      name: 'worker',
      samples: 3,
      msg: 'profile read',
    });
  });

  it('keeps secrets out, wherever they turn up', () => {
    const { log, lines } = record(['pass"word\\1', 'sekret-of-prod']);
    const cause = new Error(
      'Bearer xoxb-123-abc at https://memprof:pw123@prod:8443/?x=sekret-of-prod',
    );
    log.error({ err: new Error('outer', { cause }), password: 'pass"word\\1' }, 'it broke');
    log.info({ url: 'https://hooks.slack.com/commands/T1/123/abc', token: 'xapp-1-A1-2' }, 'asked');
    const text = lines.join('');
    for (const secret of [
      'xoxb-123',
      'pw123',
      'sekret',
      'word\\',
      'ss\\"w',
      'hooks.slack.com',
      'xapp-1',
    ]) {
      expect(text).not.toContain(secret);
    }
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });
});
