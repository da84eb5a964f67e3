import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import type { FlameRequest } from '../../src/picture-request.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { profileOf } from '../support/profile-of.ts';

const flame: FlameRequest = {
  kind: 'flame',
  profile: profileOf({
    'DB::Aggregator::execute;DB::Arena::alloc': 4096,
    'DB::MergeTask::run': 1024,
  }),
  measure: 'bytes',
  text: { title: 'Live heap', subtitle: 'chi-1', footer: [] },
};
const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47];
const never = new AbortController().signal;
const failure = (kind: string) => expect.objectContaining({ name: 'Failure', kind });

describe('createStudio', () => {
  it('draws a picture and leaves the profile of the caller usable', async () => {
    await using studio = createStudio({ threads: 1 });
    const picture = await studio.draw(flame, never);
    expect([...picture.png.subarray(0, 4)]).toEqual(PNG_MAGIC);
    expect(picture).toMatchObject({ widthPx: 1600, heightPx: 900 });
    expect(picture.svg).toContain('Arena::alloc');
    expect(flame.profile.tree.selfBytes).toHaveLength(flame.profile.tree.nodeCount);
  });

  it("tells subsystems by the team's own rules before the bundled ones", async () => {
    const subsystemRules = [{ subsystem: 'our feature', pattern: /Aggregator/ }];
    await using studio = createStudio({ threads: 1, subsystemRules });
    const { svg } = await studio.draw(flame, never);
    expect(svg).toContain('our feature');
    expect(svg).not.toContain('aggregation');
  });

  it('draws a file for the browser, with the font inside', async () => {
    await using studio = createStudio({ threads: 1 });
    const svg = await studio.drawFile(flame, never);
    expect(svg).toContain('@font-face');
    expect(svg).toContain('<script>');
  });

  it('draws the same bytes again, in whichever thread', async () => {
    await using studio = createStudio({ threads: 2 });
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => studio.draw(flame, never)),
    );
    expect(second).toEqual(first);
    expect(third).toEqual(first);
  });

  it('carries the expressions of own rules into the thread', async () => {
    await using studio = createStudio({ threads: 1 });
    const extraRules = [{ subsystem: 'our arena', pattern: /Arena/ }];
    const { svg } = await studio.draw({ ...flame, extraRules }, never);
    expect(svg).toContain('our arena');
  });

  it('stops when the signal is aborted, and draws the next picture', async () => {
    await using studio = createStudio({ threads: 1 });
    const stop = new AbortController();
    const running = studio.draw(flame, stop.signal);
    const waiting = studio.draw(flame, stop.signal);
    const other = studio.draw(flame, never);
    stop.abort('cancelled');
    await expect(running).rejects.toEqual(failure('cancelled'));
    await expect(waiting).rejects.toEqual(failure('cancelled'));
    await expect(other).resolves.toMatchObject({ widthPx: 1600 });
  });

  it('rejects with the reason of the signal when that is a failure', async () => {
    await using studio = createStudio({ threads: 1 });
    const reason = new Failure('query-timeout', { what: 'It took too long' });
    await expect(studio.draw(flame, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('makes a failure of what goes wrong in the thread, and draws the next picture', async () => {
    await using studio = createStudio({ threads: 1 });
    const broken = { ...flame, text: undefined } as unknown as FlameRequest;
    await expect(studio.draw(broken, never)).rejects.toEqual(failure('bug'));
    await expect(studio.draw(flame, never)).resolves.toMatchObject({ widthPx: 1600 });
  });

  it('ends what is under way when it is closed', async () => {
    const studio = createStudio({ threads: 1 });
    const ends = Promise.allSettled([studio.draw(flame, never), studio.draw(flame, never)]);
    await studio[Symbol.asyncDispose]();
    for (const end of await ends) expect(end).toMatchObject({ reason: { kind: 'interrupted' } });
    await expect(studio.draw(flame, never)).rejects.toEqual(failure('interrupted'));
  });

  it('does not keep the process alive when it has nothing to draw', async () => {
    const script = `
      import { createStudio } from ${JSON.stringify(import.meta.resolve('#dist/src/studio/studio.js'))};
      const studio = createStudio({ threads: 2 });
      const curve = { points: [], peaks: [], startAtMicros: 0, endAtMicros: 1 };
      const text = { title: 'none', subtitle: '', footer: [] };
      const request = { kind: 'curve', curve, estimateBytes: 0, text };
      const { png } = await studio.draw(request, new AbortController().signal);
      console.log(png.length > 0);
    `;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
    });
    expect(stdout).toBe('true\n');
  });
});
