import { describe, expect, it } from 'vitest';
import { forget } from '../../jobs/forget.ts';
import type { Desk } from '../../jobs/job.ts';
import { Failure } from '../../src/failure.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createTestDesk, runErrand, sampleInvestigation } from '../support/desk.ts';
import { profileOf } from '../support/profile-of.ts';

const refuse: Desk['requireRight'] = (verb, target) => {
  throw new Failure('not-allowed', { what: `You may not use ${verb} on ${target} from here` });
};

async function deskWith(changes: Partial<Desk> = {}) {
  const store = createFakeStore();
  const atMicros = Date.now() * 1000;
  const key = {
    investigationId: 'k7f2m9qd',
    target: 'prod',
    kind: 'frag',
    subject: '',
    atMicros,
  } as const;
  await store.keepReading({
    ...key,
    ...{ finding: 'x', figures: {}, arenas: [], wasteClasses: [], queryPeaks: [] },
  });
  await store.keepProfile(key, profileOf({ main: 1 }));
  return { ...createTestDesk(changes), store };
}

const say = async (desk: Desk, id = 'k7f2m9qd') => (await runErrand(forget, id, desk)).finding;

describe('forget', () => {
  it('deletes what was kept, for whoever asked for it', async () => {
    const desk = await deskWith({ requireRight: refuse });
    await desk.investigations.open(sampleInvestigation());
    expect(await say(desk)).toBe(
      "Investigation k7f2m9qd: 1 reading and 1 profile are deleted; its message and files in Slack are not memprof's to delete.",
    );
    expect(await desk.store.readingsOf('k7f2m9qd')).toEqual([]);
    expect(await say(desk)).toBe('Investigation k7f2m9qd: nothing was kept of it.');
  });

  it("needs the right for somebody else's", async () => {
    const desk = await deskWith({ requireRight: refuse, user: 'U2' });
    await desk.investigations.open(sampleInvestigation());
    await expect(say(desk)).rejects.toThrow('You may not use forget on prod from here');
    expect(await desk.store.readingsOf('k7f2m9qd')).toHaveLength(1);
    expect(await say(await deskWith({ user: 'U2' }))).toContain('are deleted');
  });

  it('knows investigations that the list has forgotten, by the right on their server', async () => {
    expect(await say(await deskWith())).toContain('are deleted');
    await expect(say(await deskWith({ requireRight: refuse }))).rejects.toMatchObject({
      kind: 'not-allowed',
    });
  });

  it('says so when nothing is known', async () => {
    await expect(say(await deskWith(), 'zzzzzz')).rejects.toThrow(
      'Nothing is kept of an investigation zzzzzz. It never was, or it is forgotten already.',
    );
  });
});
