import { describe, expect, it } from 'vitest';
import { admit } from '../../jobs/admission.ts';
import { parseCommand } from '../../src/command.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { samplePeak } from '../support/sample-job.ts';

const two = `
targets:
  prod: { url: "http://prod:8123" }
  test: { url: "http://test:8123" }
`;
const job = samplePeak();
const config = (text: string): Config => readConfig(text, {}, 'memprof.yaml');
const ask = (text: string, settings: string, channel = 'C1') => {
  const command = parseCommand(text, [job]);
  if (command.kind !== 'job') throw new Error(`not a job: ${text}`);
  return admit(config(settings), { user: 'U1', groups: [], channel }, job, command.words);
};

describe('admit', () => {
  it('takes the server that the command names', () => {
    expect(ask('peak 8678d8fe on:test', two)).toEqual({
      args: { queryId: '8678d8fe', target: 'test' },
      target: 'test',
      command: 'peak 8678d8fe on:test',
    });
  });

  it("takes the channel's own server and says so in the command that can be typed again", () => {
    const settings = `${two}\nchannels:\n  C1: { target: test }\n`;
    expect(ask('peak 8678d8fe', settings)).toMatchObject({
      target: 'test',
      command: 'peak 8678d8fe on:test',
    });
  });

  it('takes the only server there is', () => {
    expect(ask('peak 8678d8fe', 'targets:\n  prod: { url: "http://prod:8123" }\n')).toMatchObject({
      target: 'prod',
    });
  });

  it('asks for the server when it could be either', () => {
    expect(() => ask('peak 8678d8fe', two)).toThrow(
      expect.objectContaining({ kind: 'usage', fix: 'Add on:<server>, on:prod say' }),
    );
  });

  it('names the servers there are when this one does not exist', () => {
    expect(() => ask('peak 8678d8fe on:prdo', two)).toThrow(
      expect.objectContaining({ kind: 'unknown-target' }),
    );
  });

  it('refuses who may not', () => {
    const settings = `${two}\nrights:\n  - { verbs: [peak], targets: [prod], who: [U2] }\n`;
    expect(() => ask('peak 8678d8fe on:prod', settings)).toThrow(
      expect.objectContaining({ kind: 'not-allowed' }),
    );
    expect(ask('peak 8678d8fe on:test', settings)).toMatchObject({ target: 'test' });
  });
});
