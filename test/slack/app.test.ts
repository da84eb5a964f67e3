import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { checkView } from '../../src/local/slack/blocks/check-view.ts';
import { eventually, pause } from '../support/eventually.ts';
import { type Front, type FrontOptions, press, startFront } from '../support/front.ts';

const QUERY = '8678d8fe-7b4c-4a6e-9d3f-0123456789ab';

let front: Front;
const start = async (options: FrontOptions = {}) => {
  front = await startFront(options);
  return front;
};
afterEach(() => front.stop());

/** What the asker alone was told. */
const whispered = (text: string | RegExp) =>
  eventually(() => expect(front.chat.transcript()).toMatch(text));
const rootCount = (count: number) => eventually(() => expect(front.queue.waiting.size).toBe(count));

describe('a slash command', () => {
  it('is acknowledged with nothing and opens an investigation', async () => {
    await start();
    expect(await front.command(`peak ${QUERY}`)).toEqual({ status: 200, body: '' });
    await rootCount(1);
    const [root] = front.chat.messages.values();
    expect(root).toMatchObject({ channel: 'C1', text: expect.stringContaining(`peak ${QUERY}`) });
    expect(root).not.toHaveProperty('threadTs');
  });

  it('that Slack delivers twice opens one investigation', async () => {
    await start();
    const twice = { trigger_id: 'trigger.same' };
    await Promise.all([
      front.command(`peak ${QUERY}`, twice),
      front.command(`peak ${QUERY}`, twice),
    ]);
    await rootCount(1);
    await pause(100);
    expect(front.chat.messages.size).toBe(1);
  });

  it('alone opens the form', async () => {
    await start();
    await front.command('');
    await eventually(() => expect(front.calls.map(({ method }) => method)).toContain('views.open'));
    const { view } = front.calls.find(({ method }) => method === 'views.open')!.args;
    expect(view).toMatchObject({
      callback_id: 'ask-form',
      private_metadata: '{"channel":"C1"}',
      submit: { text: 'Investigate' },
    });
    await expect(JSON.stringify(view, null, 2)).toMatchFileSnapshot(
      '../golden/messages/ask-form.json',
    );
  });

  it('with a typo offers the nearest verb as a button and runs nothing', async () => {
    await start();
    await front.command(`paek ${QUERY}`);
    await whispered(new RegExp(`There is no verb paek\\. Did you mean peak ${QUERY}\\?`));
    expect(front.queue.waiting.size).toBe(0);
    await front.interaction(press('ask', `peak ${QUERY}`));
    await rootCount(1);
  });

  it('asks for help and gets it alone', async () => {
    await start();
    await front.command('help');
    await whispered('whisper to U1 in C1: memprof looks into the memory');
    await front.command('peak help');
    await whispered('Usage: /memprof peak <query_id>');
  });

  it('that the rights forbid is refused to the asker alone', async () => {
    await start({
      settings:
        'targets:\n  prod: { url: "http://prod:8123" }\nrights:\n  - { verbs: [peak], who: [U2, S1] }\n',
      answers: { 'usergroups.users.list': () => ({ users: ['U3'] }) },
    });
    await front.command(`peak ${QUERY}`);
    await whispered('whisper to U1 in C1: You may not use peak on prod from here.');
    expect(front.chat.messages.size).toBe(0);
    await front.command(`peak ${QUERY}`, { user_id: 'U2' });
    await rootCount(1);
    await front.command(`peak ${QUERY}`, { user_id: 'U3' });
    await rootCount(2);
    // Two people asked, the group was looked up once.
    expect(front.calls.filter(({ method }) => method === 'usergroups.users.list')).toHaveLength(1);
  });

  it('for a server that does not exist names those that do', async () => {
    await start();
    await front.command(`peak ${QUERY} on:prdo`);
    await whispered('There is no target named prdo. The config has prod.');
  });

  it('in a channel that memprof is not in says how to invite it', async () => {
    await start({ chat: { members: { C1: ['U1'] } } });
    await front.command(`peak ${QUERY}`);
    await whispered('/invite @memprof');
    expect(front.queue.waiting.size).toBe(0);
  });

  it('of another workspace is refused', async () => {
    await start();
    await front.command(`peak ${QUERY}`, { team_id: 'T9' });
    await whispered('memprof answers only within its own workspace.');
    expect(front.queue.waiting.size).toBe(0);
  });

  it('in a channel that is shared with another organisation is refused', async () => {
    await start({
      answers: { 'conversations.info': () => ({ channel: { is_ext_shared: true } }) },
    });
    await front.command(`peak ${QUERY}`);
    await whispered('This channel is shared with another organisation.');
    expect(front.queue.waiting.size).toBe(0);
  });

  it('while Redis is away has its root message say so at once', async () => {
    await start();
    front.queue.goAway();
    await front.command(`peak ${QUERY}`);
    await whispered('The queue (Redis) cannot be reached');
  });

  it('with a bad signature, or from the past or the future, is not let in', async () => {
    await start();
    const now = Math.floor(Date.now() / 1000);
    expect((await front.command('help', {}, now - 301)).status).toBe(401);
    expect((await front.command('help', {}, now + 3600)).status).toBe(401);
    await pause(50);
    expect(front.chat.transcript()).toBe('\n');
  });
});

describe('a mention', () => {
  it('in a thread is answered in that thread', async () => {
    await start();
    await front.mention({ text: `<@UBOT> peak ${QUERY}`, thread_ts: '1780000000.000100' });
    await rootCount(1);
    expect([...front.chat.messages.values()][0]).toMatchObject({ threadTs: '1780000000.000100' });
  });

  it('at top level is answered in a new thread under it', async () => {
    await start();
    await front.mention({ text: `<@UBOT> peak ${QUERY}`, ts: '1790000000.000007' });
    await rootCount(1);
    expect([...front.chat.messages.values()][0]).toMatchObject({ threadTs: '1790000000.000007' });
  });

  it('that Slack delivers again opens nothing new', async () => {
    await start();
    const envelope = { event_id: 'EvSame' };
    await front.mention({ text: `<@UBOT> peak ${QUERY}` }, envelope);
    await front.mention({ text: `<@UBOT> peak ${QUERY}` }, envelope);
    await rootCount(1);
    await pause(100);
    expect(front.chat.messages.size).toBe(1);
  });

  it('without words gets help', async () => {
    await start();
    await front.mention({ text: '<@UBOT>' });
    await whispered('memprof looks into the memory');
  });

  it('by another app is not answered', async () => {
    await start();
    await front.mention({ text: `<@UBOT> peak ${QUERY}`, user: undefined });
    await pause(100);
    expect(front.chat.messages.size).toBe(0);
  });

  it('in a channel shared with another organisation is refused', async () => {
    await start();
    await front.mention({ text: '<@UBOT> status' }, { is_ext_shared_channel: true });
    await whispered('memprof answers only within its own workspace');
  });
});

describe('the shortcut on a message', () => {
  it('opens a form with the query id of the message, and answers in its thread', async () => {
    await start();
    await front.interaction({
      type: 'message_action',
      callback_id: 'profile-this',
      channel: { id: 'C1' },
      message: { ts: '1790000000.000009', text: `Memory limit exceeded, query ${QUERY}` },
      message_ts: '1790000000.000009',
    });
    await eventually(() => expect(front.calls).toHaveLength(1));
    const view = JSON.stringify(front.calls[0]?.args.view);
    expect(view).toContain(`"initial_value":"${QUERY}"`);
    await front.interaction(
      submission({ channel: 'C1', threadTs: '1790000000.000009' }, { words: QUERY }),
    );
    await rootCount(1);
    expect([...front.chat.messages.values()][0]).toMatchObject({ threadTs: '1790000000.000009' });
  });
});

describe('a form', () => {
  it('carries out what is filled in', async () => {
    await start();
    const answer = await front.interaction(submission({ channel: 'C1' }, { words: QUERY }));
    expect(JSON.parse(answer.body)).toEqual({ response_action: 'clear' });
    await rootCount(1);
  });

  it('says at the field what is wrong, and stays open', async () => {
    await start({ settings: 'targets:\n  a: { url: "http://a" }\n  b: { url: "http://b" }\n' });
    const answer = await front.interaction(submission({ channel: 'C1' }, { words: QUERY }));
    expect(JSON.parse(answer.body)).toEqual({
      response_action: 'errors',
      errors: { words: expect.stringContaining('Add on:<server>') },
    });
    const chosen = await front.interaction(
      submission({ channel: 'C1' }, { words: QUERY, target: 'b' }),
    );
    expect(JSON.parse(chosen.body)).toEqual({ response_action: 'clear' });
  });

  it('is checked for rights when it comes back', async () => {
    await start({
      settings:
        'targets:\n  prod: { url: "http://prod:8123" }\nrights:\n  - { verbs: [peak], who: [U2] }\n',
    });
    await front.interaction(submission({ channel: 'C1' }, { words: QUERY }));
    await whispered('You may not use peak on prod from here');
    expect(front.queue.waiting.size).toBe(0);
  });
});

describe('the form of run', () => {
  const settings = `targets:
  prod: { url: "http://prod:8123", run: { user: memprof_run, needsApproval: true } }
  other: { url: "http://other:8123" }
rights: [{ verbs: [run] }]
`;
  const filledIn = (values: Readonly<Record<string, string>>) => ({
    type: 'view_submission',
    view: {
      id: 'V9',
      callback_id: 'run-form',
      private_metadata: JSON.stringify({ channel: 'C1' }),
      state: {
        values: {
          target: { target: { selected_option: { value: 'prod' } } },
          ...Object.fromEntries(
            Object.entries(values).map(([id, value]) => [id, { [id]: { value } }]),
          ),
        },
      },
    },
  });

  it('is opened by "run" alone, and says what exactly will run', async () => {
    await start({ settings });
    await front.command('run');
    await eventually(() => expect(front.calls.map(({ method }) => method)).toContain('views.open'));
    const view = front.calls.find(({ method }) => method === 'views.open')?.args.view;
    expect(checkView(view, 'modal', () => undefined)).not.toHaveProperty('errors');
    await expect(`${JSON.stringify(view, null, 2)}\n`).toMatchFileSnapshot(
      '../golden/messages/run-form.json',
    );
  });

  it('becomes the command with caps and the statement as it was typed', async () => {
    await start({ settings });
    const sql = "SELECT `a`, 'x  y'\nFROM t";
    const answer = await front.interaction(filledIn({ sql, time: '30 s', memory: '4 GiB' }));
    expect(JSON.parse(answer.body)).toEqual({ response_action: 'clear' });
    await rootCount(1);
    const [queued] = [...front.queue.waiting.values()];
    expect(queued).toMatchObject({
      args: { target: 'prod', sql, caps: { seconds: 30, memoryBytes: 4 * 2 ** 30 } },
    });
  });

  it('is approved by a second person, as it was asked for', async () => {
    await start({ settings });
    await front.interaction(filledIn({ sql: 'SELECT 1', time: '30s' }));
    await rootCount(1);
    const [asked] = [...front.queue.waiting.values()] as { investigationId: string }[];
    const button = `approve ${asked?.investigationId}`;
    await front.interaction(press('ask', button));
    await whispered('Nobody approves a statement of their own');
    await front.interaction(press('ask', button, { user: { id: 'U2', team_id: 'T1' } }));
    await rootCount(2);
    expect([...front.queue.waiting.values()].at(-1)).toMatchObject({
      verb: 'approve',
      target: 'prod',
      args: { target: 'prod', sql: 'SELECT 1', caps: { seconds: 30 }, approvedBy: 'U2' },
    });
  });

  it('says at the statement what is wrong', async () => {
    await start({ settings });
    const answer = await front.interaction(filledIn({ sql: 'SELECT 1', time: 'soon' }));
    expect(JSON.parse(answer.body)).toEqual({
      response_action: 'errors',
      errors: { sql: expect.stringContaining('time:soon is not a span of time') },
    });
  });
});

describe('a button', () => {
  it('"Try again" opens a new investigation once, and the old message points at it', async () => {
    await start();
    const old = await front.chat.post({ channel: 'C1', text: 'It failed.', deliveryKey: 'old' });
    const pressed = press('try-again', `peak ${QUERY}`, {
      container: { type: 'message', message_ts: old.ts, channel_id: 'C1' },
      message: {
        ts: old.ts,
        text: 'It failed.',
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: 'It failed.' } },
          { type: 'actions', elements: [] },
        ],
      },
    });
    await Promise.all([front.interaction(pressed), front.interaction(pressed)]);
    await rootCount(1);
    await whispered('@U1 tried again: the new investigation');
    expect(front.chat.messages.size).toBe(2);
  });

  it('in a thread answers in that thread', async () => {
    await start();
    await front.interaction(
      press('ask', `peak ${QUERY}`, { message: { thread_ts: '1780000000.000100' } }),
    );
    await rootCount(1);
    expect([...front.chat.messages.values()][0]).toMatchObject({ threadTs: '1780000000.000100' });
  });

  it('"Attach to a thread…" opens its form, and the form attaches', async () => {
    await start();
    await front.interaction(press('attach', 'k7f2m9qd'));
    await eventually(() => expect(front.calls.at(-1)?.method).toBe('views.open'));
    expect(front.calls.at(-1)?.args.view).toMatchObject({
      callback_id: 'attach-form',
      private_metadata: '{"channel":"C1","investigationId":"k7f2m9qd"}',
    });
    await front.interaction({
      type: 'view_submission',
      view: {
        id: 'V2',
        callback_id: 'attach-form',
        private_metadata: '{"channel":"C1","investigationId":"k7f2m9qd"}',
        state: { values: { link: { link: { value: 'nonsense' } } } },
      },
    });
    await whispered('There is no investigation k7f2m9qd that you may see');
  });

  it('"Cancel" cancels', async () => {
    await start();
    await front.command(`peak ${QUERY}`);
    await rootCount(1);
    const [recent] = await front.investigations.recent('U1', 1);
    await front.interaction(press('cancel', recent?.id ?? ''));
    await rootCount(0);
    await whispered('Cancelled by @U1 before a worker took it up');
  });

  it('that nobody knows is acknowledged', async () => {
    await start();
    expect((await front.interaction(press('open-runbook', ''))).status).toBe(200);
  });

  it('of another workspace is refused', async () => {
    await start();
    await front.interaction(press('ask', `peak ${QUERY}`, { user: { id: 'U1', team_id: 'T9' } }));
    await whispered('memprof answers only within its own workspace');
    expect(front.queue.waiting.size).toBe(0);
  });
});

describe('the Home', () => {
  it('shows what a person asked for last', async () => {
    await start();
    await front.command(`peak ${QUERY}`);
    await rootCount(1);
    await front.event({ type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    await eventually(() =>
      expect(front.calls.map(({ method }) => method)).toContain('views.publish'),
    );
    const { view } = front.calls.find(({ method }) => method === 'views.publish')!.args;
    expect(JSON.stringify(view)).toContain(`peak ${QUERY}`);
    expect(JSON.stringify(view)).not.toContain('sample stop all');
  });

  it('shows what is sampled, and stops all of it in the direct message of whoever presses', async () => {
    await start({
      settings: 'targets:\n  prod: { url: "http://a" }\nrights: [{ verbs: [sample] }]\n',
    });
    await front.leases.put({
      ...{ id: 'aaaa1111', target: 'prod', profile: 'memprof_sampling', grantee: 'etl' },
      ...{ startedBy: '<@U2>', startedAtMicros: 1, endsAtMicros: 1_790_000_600_000_000 },
      ...{ isConfirmed: true, place: { channel: 'C1', threadTs: '1.1' } },
    });
    await front.event({ type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    await eventually(() =>
      expect(front.calls.map(({ method }) => method)).toContain('views.publish'),
    );
    const { view } = front.calls.find(({ method }) => method === 'views.publish')!.args;
    expect(checkView(view, 'home', () => undefined)).not.toHaveProperty('errors');
    expect(JSON.stringify(view)).toMatch(/`etl` on prod for <@U2> until/);
    await front.interaction(
      press('ask', 'sample stop all', { channel: undefined, container: { type: 'view' }, view }),
    );
    await rootCount(1);
    expect([...front.chat.messages.values()][0]).toMatchObject({ channel: 'D1' });
    expect([...front.queue.waiting.values()]).toMatchObject([
      { verb: 'sample', args: { action: 'stop', what: 'all' } },
    ]);
  });
});

it('finishes what is under way before it stops', async () => {
  await start();
  const { post } = front.chat;
  Object.assign(front.chat, {
    post: async (message: Parameters<typeof post>[0]) => {
      await pause(300);
      return post(message);
    },
  });
  await front.command(`peak ${QUERY}`);
  const { stop } = front;
  await stop();
  expect(front.queue.waiting.size).toBe(1);
  front = await startFront();
});

it('is not taken down by a fault of its own', async () => {
  await start();
  front.chat.failNext('post', new Failure('bug', { what: 'memprof met a fault of its own' }));
  await front.command(`peak ${QUERY}`);
  await whispered('memprof met a fault of its own');
  expect((await front.command('help')).status).toBe(200);
});

function submission(metadata: object, fields: { words: string; target?: string }) {
  return {
    type: 'view_submission',
    view: {
      id: `V${Math.random()}`,
      callback_id: 'ask-form',
      private_metadata: JSON.stringify(metadata),
      state: {
        values: {
          verb: { verb: { selected_option: { value: 'peak' } } },
          words: { words: { value: fields.words } },
          target: {
            target: {
              selected_option: fields.target === undefined ? null : { value: fields.target },
            },
          },
        },
      },
    },
  };
}
