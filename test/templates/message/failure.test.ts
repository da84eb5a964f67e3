import { describe, expect, it } from 'vitest';
import { Failure, type FailureKind, failureKinds } from '../../../src/failure.ts';
import { failureMessage, failureWhisper } from '../../../templates/message/failure.ts';

const about = {
  command: 'peak 8678d8fe on:prod',
  investigationId: 'k7f2m9qd',
  askedBy: '<@U1>',
};

describe('the message of a failure', () => {
  it('escapes what a server said', () => {
    const failure = new Failure('server-error', { what: 'prod refused', why: 'code <1> & more' });
    const message = failureMessage(failure, about);
    expect(JSON.stringify(message.blocks)).toContain('Code &lt;1&gt; &amp; more.');
    expect(message.text).toBe('prod refused. Code <1> & more.');
  });

  it('always has a reference to search for', () => {
    for (const kind of Object.keys(failureKinds) as FailureKind[]) {
      const message = failureMessage(new Failure(kind, { what: 'It failed' }), about);
      expect(JSON.stringify(message.blocks)).toContain(`Reference ${failureKinds[kind].code}`);
    }
  });

  it('offers to try again where that can help, and not where it cannot', () => {
    const offers = (kind: FailureKind) =>
      JSON.stringify(failureMessage(new Failure(kind, { what: 'x' }), about).blocks).includes(
        'Try again',
      );
    expect(offers('target-unreachable')).toBe(true);
    expect(offers('grant-missing')).toBe(true);
    expect(offers('usage')).toBe(false);
    expect(offers('not-allowed')).toBe(false);
  });

  it('offers nothing when the command is too long for a button', () => {
    const long = { ...about, command: `run ${'x'.repeat(3000)}` };
    const message = failureMessage(new Failure('query-timeout', { what: 'x' }), long);
    expect(message.blocks.map(({ type }) => type)).toEqual(['section', 'context']);
  });

  it('offers what was typed again where only the asker is told and it may pass', () => {
    const buttonOf = (kind: FailureKind, typed?: string) =>
      failureWhisper(new Failure(kind, { what: 'x' }), typed).blocks.flatMap((block) =>
        block.type === 'actions' ? block.elements : [],
      );
    expect(buttonOf('queue-unavailable', 'digest now')).toMatchObject([
      {
        text: { text: 'Try again' },
        value: 'digest now',
        action_id: expect.stringMatching(/^ask/),
      },
    ]);
    expect(buttonOf('store-unavailable', 'status')).toHaveLength(1);
    expect(buttonOf('queue-unavailable')).toEqual([]);
    expect(buttonOf('usage', 'digest sing')).toEqual([]);
    expect(buttonOf('queue-unavailable', `digest now ${'x'.repeat(3000)}`)).toEqual([]);
  });
});
