import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { pause } from '../../support/eventually.ts';
import {
  clientOf,
  type RunningApp,
  refusal,
  startSocketApp,
  startTestWorkspace,
} from './fixture.ts';

let workspace: Workspace;
let client: WebClient;
let app: RunningApp;
let bolt: App;
const user = 'U0DANA0001';
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });

/** A form with a required text, a select that begins with one choice, and an optional list. */
const form = (title = 'Form', more: object = {}) => ({
  type: 'modal' as const,
  callback_id: 'form',
  title: plain(title),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'words',
      label: plain('Words'),
      element: { type: 'plain_text_input' as const, action_id: 'words' },
    },
    {
      type: 'input' as const,
      block_id: 'verb',
      label: plain('Verb'),
      element: {
        type: 'static_select' as const,
        action_id: 'verb',
        options: [option('peak'), option('heap')],
        initial_option: option('heap'),
      },
    },
    {
      type: 'input' as const,
      block_id: 'extras',
      optional: true,
      label: plain('Extras'),
      element: {
        type: 'checkboxes' as const,
        action_id: 'extras',
        options: [option('svg'), option('csv')],
      },
    },
  ],
  ...more,
});

beforeEach(async () => {
  workspace = await startTestWorkspace();
  client = clientOf(workspace);
  app = await startSocketApp(workspace, (created) => {
    bolt = created;
  });
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await workspace.close();
});

/** A trigger of a person's shortcut. */
async function trigger(): Promise<string> {
  let id = '';
  bolt.shortcut({ callback_id: `go-${Math.random()}`, type: 'shortcut' }, async () => {});
  bolt.use(async ({ body, next }) => {
    if ('trigger_id' in body) id = String(body.trigger_id);
    await next();
  });
  void workspace.globalShortcut(user, 'anything');
  await workspace.waitFor(() => id !== '');
  return id;
}

describe('a trigger', () => {
  it('opens one view', async () => {
    const trigger_id = await trigger();
    expect(await client.views.open({ trigger_id, view: form() })).toMatchObject({
      view: { id: expect.stringMatching(/^V/), hash: expect.any(String), state: { values: {} } },
    });
    expect(await refusal(client.views.open({ trigger_id, view: form() }))).toBe(
      'exchanged_trigger_id',
    );
    expect(await refusal(client.views.open({ trigger_id: 'x', view: form() }))).toBe(
      'invalid_trigger_id',
    );
  });

  it('is not spent on a view that is refused', async () => {
    const trigger_id = await trigger();
    const view = form('A title that is longer than 24');
    await expect(client.views.open({ trigger_id, view })).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: {
          messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
        },
      },
    });
    expect(await client.views.open({ trigger_id, view: form() })).toMatchObject({ ok: true });
  });

  it('is of no use after three seconds', async () => {
    const trigger_id = await trigger();
    await pause(3050);
    expect(await refusal(client.views.open({ trigger_id, view: form() }))).toBe(
      'expired_trigger_id',
    );
  });
});

describe('modals', () => {
  it('stack up to three', async () => {
    await client.views.open({ trigger_id: await trigger(), view: form('one') });
    const { view } = await client.views.push({ trigger_id: await trigger(), view: form('two') });
    expect(view).toMatchObject({ previous_view_id: workspace.views(user)[0]!.id });
    await client.views.push({ trigger_id: await trigger(), view: form('three') });
    const fourth = client.views.push({ trigger_id: await trigger(), view: form('four') });
    expect(await refusal(fourth)).toBe('push_limit_reached');
    await workspace.closeView(user);
    expect(workspace.views(user).map(({ definition }) => definition.title?.text)).toEqual([
      'one',
      'two',
    ]);
  });

  it('are updated only by who has seen the last change', async () => {
    const { view } = await client.views.open({ trigger_id: await trigger(), view: form() });
    const { id: view_id, hash } = view!;
    await client.views.update({ view_id: view_id!, hash: hash!, view: form('Two') });
    const late = client.views.update({ view_id: view_id!, hash: hash!, view: form('Three') });
    expect(await refusal(late)).toBe('hash_conflict');
    expect(workspace.views(user)[0]?.definition.title?.text).toBe('Two');
    expect(await refusal(client.views.update({ view_id: 'V0NOTHERE1', view: form() }))).toBe(
      'not_found',
    );
  });

  it('are found by their external id, which only one may have', async () => {
    const view = form('One', { external_id: 'mine' });
    await client.views.open({ trigger_id: await trigger(), view });
    const again = client.views.push({ trigger_id: await trigger(), view });
    expect(await refusal(again)).toBe('duplicate_external_id');
    await client.views.update({ external_id: 'mine', view: { ...view, title: plain('Two') } });
    expect(workspace.views(user)[0]?.definition.title?.text).toBe('Two');
  });

  it.each([
    [
      'of more than 250 kB',
      { blocks: [{ type: 'section', text: plain('x'.repeat(251_000)) }] },
      'view_too_large',
    ],
    ['with inputs but nothing to send them', { submit: undefined }, 'invalid_arguments'],
    [
      'with a table',
      { blocks: [{ type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] }] },
      'invalid_arguments',
    ],
    [
      'with private metadata of 3,001 characters',
      { private_metadata: 'x'.repeat(3001) },
      'invalid_arguments',
    ],
  ])('%s are refused', async (_, more, error) => {
    const view = form('F', more);
    const call = client.apiCall('views.open', { trigger_id: await trigger(), view });
    expect(await refusal(call)).toBe(error);
  });
});

describe('a form', () => {
  const open = async (more: object = {}) =>
    client.views.open({ trigger_id: await trigger(), view: form('Form', more) });

  it('is not sent while something required is missing', async () => {
    await open();
    expect(await workspace.submitView(user, {})).toEqual({
      kind: 'incomplete',
      errors: { words: 'Please complete this required field.' },
    });
    expect(workspace.deliveries().some(({ type }) => type === 'view_submission')).toBe(false);
  });

  it('is sent with what was filled in and what it began with', async () => {
    let values: unknown;
    bolt.view('form', async ({ ack, view }) => {
      values = view.state.values;
      await ack();
    });
    await open();
    expect(await workspace.submitView(user, { words: 'abc', extras: ['csv'] })).toEqual({
      kind: 'accepted',
    });
    expect(values).toEqual({
      words: { words: { type: 'plain_text_input', value: 'abc' } },
      verb: { verb: { type: 'static_select', selected_option: option('heap') } },
      extras: { extras: { type: 'checkboxes', selected_options: [option('csv')] } },
    });
    expect(workspace.views(user)).toEqual([]);
  });

  it('stays open with the faults that the app finds', async () => {
    bolt.view('form', async ({ ack }) =>
      ack({ response_action: 'errors', errors: { words: 'no' } }),
    );
    await open();
    expect(await workspace.submitView(user, { words: 'x' })).toEqual({
      kind: 'errors',
      errors: { words: 'no' },
    });
    expect(workspace.views(user)).toHaveLength(1);
  });

  it('becomes another one, has one above it, or clears all', async () => {
    const answers = ['update', 'push', 'clear'] as const;
    let asked = 0;
    bolt.view('form', async ({ ack }) => {
      const response_action = answers[asked]!;
      asked += 1;
      if (response_action === 'clear') await ack({ response_action });
      else await ack({ response_action, view: form(response_action) });
    });
    await open();
    const titles = () => workspace.views(user).map(({ definition }) => definition.title?.text);
    await workspace.submitView(user, { words: 'x' });
    expect(titles()).toEqual(['update']);
    await workspace.submitView(user, { words: 'x' });
    expect(titles()).toEqual(['update', 'push']);
    await workspace.submitView(user, { words: 'x' });
    expect(titles()).toEqual([]);
  });

  it('that nobody takes stays open', async () => {
    await open();
    expect(await workspace.submitView(user, { words: 'x' })).toEqual({
      kind: 'failed',
      error: 'timeout',
    });
    expect(workspace.views(user)).toHaveLength(1);
  });

  it('tells the app when it is closed only if the app wants to know', async () => {
    const closed: string[] = [];
    bolt.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, view }) => {
      closed.push(view.title.text);
      await ack();
    });
    await open();
    await workspace.closeView(user);
    await client.views.open({
      trigger_id: await trigger(),
      view: form('Told', { notify_on_close: true }),
    });
    await workspace.closeView(user);
    expect(closed).toEqual(['Told']);
  });
});
