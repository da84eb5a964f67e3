import { describe, expect, it } from 'vitest';
import { createProgress } from '../../jobs/progress.ts';
import type { Stages } from '../../templates/message/started.ts';
import { eventually, pause } from '../support/eventually.ts';

function record(mayEdit: () => Promise<boolean> = async () => true) {
  const shown: Stages[] = [];
  const progress = createProgress({
    edit: async (stages) => void shown.push(stages),
    mayEdit,
    firstEditMs: 10,
    editEveryMs: 60,
  });
  return { shown, progress };
}

describe('progress', () => {
  it('shows stages that pass between two edits as passed', async () => {
    const { shown, progress } = record();
    for (const stage of ['one', 'two', 'three']) progress.say(stage);
    await eventually(() => expect(shown).toEqual([{ passed: ['one', 'two'], current: 'three' }]));
    progress.say('four');
    await eventually(() =>
      expect(shown.at(-1)).toEqual({ passed: ['one', 'two', 'three'], current: 'four' }),
    );
    await progress.stop();
  });

  it('sends few edits however many stages there are', async () => {
    const { shown, progress } = record();
    for (let stage = 0; stage < 40; stage += 1) {
      progress.say(`stage ${stage}`);
      await pause(2);
    }
    await progress.stop();
    expect(shown.length).toBeLessThan(8);
  });

  it('sends nothing after it was stopped, also when a stage was waiting', async () => {
    const { shown, progress } = record();
    progress.say('one');
    await progress.stop();
    progress.say('two');
    await pause(100);
    expect(shown).toEqual([]);
  });

  it('waits for an edit that is on its way, so that the answer comes after it', async () => {
    let finish = () => {};
    let isDone = false;
    const progress = createProgress({
      edit: () =>
        new Promise((resolve) => {
          finish = () => {
            isDone = true;
            resolve();
          };
        }),
      mayEdit: async () => true,
      firstEditMs: 0,
    });
    progress.say('one');
    await pause(20);
    setTimeout(finish, 30);
    await progress.stop();
    expect(isDone).toBe(true);
  });

  it('keeps a stage for the next turn when it may not edit now', async () => {
    let turns = 0;
    const { shown, progress } = record(async () => {
      turns += 1;
      return turns > 2;
    });
    progress.say('one');
    await eventually(() => expect(shown).toEqual([{ passed: [], current: 'one' }]));
    await progress.stop();
  });

  it('goes on when an edit fails', async () => {
    let edits = 0;
    const progress = createProgress({
      edit: async () => {
        edits += 1;
        throw new Error('Slack is away');
      },
      mayEdit: async () => true,
      firstEditMs: 0,
      editEveryMs: 20,
    });
    progress.say('one');
    await pause(10);
    progress.say('two');
    await eventually(() => expect(edits).toBe(2));
    await progress.stop();
  });
});
