import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { clientOf, quiet, refusal, startTestWorkspace, widerManifest } from './fixture.ts';

let workspace: Workspace;
let client: WebClient;

beforeEach(async () => {
  workspace = await startTestWorkspace({
    manifest: await widerManifest({
      scopes: ['users:read', 'reactions:write', 'im:write', 'channels:join'],
    }),
  });
  client = clientOf(workspace);
});
afterEach(() => workspace.close());

describe('the real WebClient', () => {
  it('learns who it is', async () => {
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      url: `${workspace.origin}/`,
      user_id: workspace.botUserId,
      response_metadata: { scopes: expect.arrayContaining(['chat:write', 'commands']) },
    });
  });

  it('posts, replies, edits and deletes', async () => {
    const channel = workspace.channels.dbOncall;
    const { ts } = await client.chat.postMessage({ channel, text: 'one' });
    const reply = await client.chat.postMessage({ channel, text: 'two', thread_ts: ts! });
    expect(reply.message).toMatchObject({ thread_ts: ts, bot_id: expect.stringMatching(/^B/) });
    await client.chat.update({ channel, ts: ts!, text: 'ONE' });
    expect(workspace.thread(channel, ts!).map(({ text }) => text)).toEqual(['ONE', 'two']);
    await client.chat.delete({ channel, ts: reply.ts! });
    expect(workspace.thread(channel, ts!)).toHaveLength(1);
  });

  it('finds its message again by metadata, and only when it asks for it', async () => {
    const channel = workspace.channels.dbOncall;
    const metadata = { event_type: 'mark', event_payload: { key: 'k1' } };
    const { ts } = await client.chat.postMessage({ channel, text: 'marked', metadata });
    await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts!, metadata });
    const history = await client.conversations.history({ channel, include_all_metadata: true });
    expect(history.messages?.[0]).toMatchObject({ ts, metadata, reply_count: 1 });
    const replies = await client.conversations.replies({ channel, ts: ts! });
    expect(replies.messages).toHaveLength(2);
    expect(replies.messages?.[1]).not.toHaveProperty('metadata');
  });

  it('reads a history page by page, newest first', async () => {
    const channel = workspace.channels.dbOncall;
    const oldest = workspace.messages(channel).at(-1)!.ts;
    for (const text of ['a', 'b', 'c']) await client.chat.postMessage({ channel, text });
    const pages: string[][] = [];
    for await (const page of client.paginate('conversations.history', {
      channel,
      oldest,
      limit: 2,
    })) {
      const { messages } = page as { messages?: { text?: string }[] };
      pages.push((messages ?? []).map(({ text }) => text ?? ''));
    }
    expect(pages).toEqual([['c', 'b'], ['a']]);
  });

  it('uses any way to send arguments', async () => {
    const channel = workspace.channels.dbOncall;
    const url = `${workspace.apiUrl}chat.postMessage`;
    const headers = { authorization: `Bearer ${workspace.botToken}` };
    const form = new FormData();
    form.set('channel', channel);
    form.set('text', 'multipart');
    const bodies: RequestInit[] = [
      { body: new URLSearchParams({ channel, text: 'form' }), headers },
      {
        body: JSON.stringify({ channel, text: 'json' }),
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      },
      { body: form, headers },
      { body: new URLSearchParams({ channel, text: 'token', token: workspace.botToken }) },
    ];
    for (const body of bodies) {
      const answer = await fetch(url, { method: 'POST', ...body });
      expect(await answer.json()).toMatchObject({ ok: true });
    }
    expect(
      workspace
        .messages(channel)
        .slice(-4)
        .map(({ text }) => text),
    ).toEqual(['form', 'json', 'multipart', 'token']);
  });

  it('is told what it does wrong with tokens, scopes and methods', async () => {
    const as = (token?: string) =>
      new WebClient(token, { slackApiUrl: workspace.apiUrl, logger: quiet });
    expect(await refusal(as().auth.test())).toBe('not_authed');
    expect(await refusal(as('nonsense').auth.test())).toBe('invalid_auth');
    expect(await refusal(as(workspace.appToken).auth.test())).toBe('not_allowed_token_type');
    expect(await refusal(client.apps.connections.open())).toBe('not_allowed_token_type');
    expect(await refusal(client.apiCall('sandbox.nothing'))).toBe('unknown_method');
    await expect(client.pins.add({ channel: 'C1', timestamp: '1.1' })).rejects.toThrow();
    const strict = await startTestWorkspace();
    await expect(clientOf(strict).users.info({ user: workspace.users.dana })).rejects.toMatchObject(
      {
        data: {
          error: 'missing_scope',
          needed: 'users:read',
          provided: expect.stringContaining('chat:write'),
        },
      },
    );
    await strict.close();
  });

  it('looks up people and user groups', async () => {
    const { users, userGroups } = workspace;
    const { user } = await client.users.info({ user: users.dana });
    expect(user).toMatchObject({ name: 'dana', is_admin: true });
    const group = await client.usergroups.users.list({ usergroup: userGroups.dbOncall });
    expect(group.users).toEqual([users.dana, users.mei]);
    expect(await refusal(client.usergroups.users.list({ usergroup: 'S9' }))).toBe(
      'no_such_subteam',
    );
    expect((await client.usergroups.list({ include_users: true })).usergroups).toHaveLength(1);
    expect((await client.users.list({})).members?.length).toBeGreaterThan(4);
  });

  it('writes a message while people read it', async () => {
    const channel = workspace.channels.dbOncall;
    const { ts } = await client.chat.postMessage({ channel, text: 'root' });
    const stream = client.chatStream({
      channel,
      thread_ts: ts!,
      recipient_user_id: workspace.users.dana,
      recipient_team_id: 'T0DATAOPS1',
      buffer_size: 1,
    });
    await stream.append({ markdown_text: 'half, ' });
    await stream.append({ markdown_text: 'whole' });
    await stream.stop();
    expect(workspace.thread(channel, ts!).at(-1)?.text).toBe('half, whole');
  });

  it('reacts once', async () => {
    const channel = workspace.channels.dbOncall;
    const { ts: timestamp } = await client.chat.postMessage({ channel, text: 'x' });
    const reaction = { channel, timestamp: timestamp!, name: 'eyes' };
    await client.reactions.add(reaction);
    expect(await refusal(client.reactions.add(reaction))).toBe('already_reacted');
    expect(workspace.messages(channel).at(-1)?.reactions).toEqual({
      eyes: [workspace.botUserId],
    });
    await client.reactions.remove(reaction);
    expect(await refusal(client.reactions.remove(reaction))).toBe('no_reaction');
  });

  it('gets permalinks that name the parent of a reply', async () => {
    const channel = workspace.channels.dbOncall;
    const { ts } = await client.chat.postMessage({ channel, text: 'x' });
    const reply = await client.chat.postMessage({ channel, text: 'y', thread_ts: ts! });
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: reply.ts! });
    expect(permalink).toBe(
      `${workspace.origin}/archives/${channel}/p${reply.ts!.replace('.', '')}?thread_ts=${ts}&cid=${channel}`,
    );
  });
});

describe('chat.update', () => {
  const channel = 'C0DBONCALL';
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'block' } }];

  it('with text alone takes the blocks away', async () => {
    const { ts } = await client.chat.postMessage({ channel, text: 'x', blocks });
    await client.chat.update({ channel, ts: ts!, text: 'only text' });
    expect(workspace.messages(channel).at(-1)).toMatchObject({ text: 'only text', blocks: [] });
    await client.chat.update({ channel, ts: ts!, text: 'both', blocks });
    expect(workspace.messages(channel).at(-1)?.blocks).toHaveLength(1);
  });

  it.each([
    ['a text of 4,001 characters', () => ({ text: 'x'.repeat(4001) }), 'msg_too_long'],
    ['a message that is not there', () => ({ ts: '1700000000.000001' }), 'message_not_found'],
    [
      'a message of somebody else',
      () => ({ ts: workspace.messages(channel)[0]!.ts }),
      'cant_update_message',
    ],
  ])('refuses %s', async (_, change, error) => {
    const { ts } = await client.chat.postMessage({ channel, text: 'x' });
    const args = { channel, ts: ts!, text: 'y', ...change() };
    expect(await refusal(client.chat.update(args))).toBe(error);
  });
});

describe('chat.postMessage', () => {
  it.each([
    ['nothing to show', { text: ' ' }, 'no_text'],
    ['blocks that are no JSON', { text: 'x', blocks: '[' }, 'invalid_blocks_format'],
    ['a thread that is not there', { text: 'x', thread_ts: '1.1' }, 'cannot_reply_to_message'],
    ['text and markdown', { text: 'x', markdown_text: 'y' }, 'markdown_text_conflict'],
    [
      'metadata of more than 8 kB',
      { text: 'x', metadata: { event_type: 'e', event_payload: { a: 'x'.repeat(8001) } } },
      'metadata_too_large',
    ],
  ])('refuses %s', async (_, args, error) => {
    const call = client.apiCall('chat.postMessage', { channel: 'C0DBONCALL', ...args });
    expect(await refusal(call)).toBe(error);
  });

  it('to a user id goes to the direct messages', async () => {
    const { channel } = await client.chat.postMessage({
      channel: workspace.users.sam,
      text: 'psst',
    });
    expect(channel).toMatch(/^D/);
    const opened = await client.conversations.open({ users: workspace.users.sam });
    expect(opened.channel?.id).toBe(channel);
  });

  it('misfiles a reply to a reply, as Slack does', async () => {
    const channel = workspace.channels.dbOncall;
    const { ts } = await client.chat.postMessage({ channel, text: 'root' });
    const reply = await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts! });
    await client.chat.postMessage({ channel, text: 'lost', thread_ts: reply.ts! });
    expect(workspace.thread(channel, ts!).map(({ text }) => text)).toEqual(['root', 'reply']);
  });
});

describe('what one person alone sees', () => {
  it('is in no history and in nobody else’s view', async () => {
    const { dbOncall: channel } = workspace.channels;
    const { dana: user, mei } = workspace.users;
    const before = workspace.messages(channel).length;
    const { message_ts } = await client.chat.postEphemeral({ channel, user, text: 'for you' });
    expect(workspace.ephemerals(user).map(({ text }) => text)).toEqual(['for you']);
    expect(workspace.ephemerals(mei)).toEqual([]);
    expect(workspace.messages(channel)).toHaveLength(before);
    expect(await refusal(client.chat.update({ channel, ts: message_ts!, text: 'x' }))).toBe(
      'message_not_found',
    );
  });

  it('needs the person in the channel', async () => {
    const call = client.chat.postEphemeral({
      channel: workspace.channels.incident,
      user: workspace.users.sam,
      text: 'x',
    });
    expect(await refusal(call)).toBe('user_not_in_channel');
  });
});

describe('membership', () => {
  const post = (channel: string) => client.chat.postMessage({ channel, text: 'x' });

  it('decides where the bot may post and read', async () => {
    const { general, securityReviews, dbOncall } = workspace.channels;
    expect(await refusal(post(general))).toBe('not_in_channel');
    expect(await refusal(post(securityReviews))).toBe('channel_not_found');
    expect(await refusal(post('C0NOWHERE0'))).toBe('channel_not_found');
    expect(await refusal(client.conversations.history({ channel: general }))).toBe(
      'not_in_channel',
    );
    expect((await client.conversations.info({ channel: general })).channel).toMatchObject({
      is_member: false,
      name: 'general',
    });
    expect(await refusal(client.conversations.info({ channel: securityReviews }))).toBe(
      'channel_not_found',
    );
    expect((await client.conversations.members({ channel: dbOncall })).members).toContain(
      workspace.users.dana,
    );
  });

  it('can be taken away and given', async () => {
    const { general, dbOncall, securityReviews } = workspace.channels;
    workspace.directory.leave(dbOncall, workspace.botUserId);
    expect(await refusal(post(dbOncall))).toBe('not_in_channel');
    expect(await client.conversations.join({ channel: general })).toMatchObject({ ok: true });
    expect((await client.conversations.join({ channel: general })).warning).toBe(
      'already_in_channel',
    );
    expect(await refusal(client.conversations.join({ channel: securityReviews }))).toBe(
      'channel_not_found',
    );
    workspace.directory.join(securityReviews, workspace.botUserId);
    expect(await post(securityReviews)).toMatchObject({ ok: true });
  });

  it('lists what the bot may know of', async () => {
    const { channels } = await client.conversations.list({
      types: 'public_channel,private_channel,im',
    });
    expect(channels?.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['C0DBONCALL', 'C0GENERAL1', 'D0DANA0001']),
    );
    expect(channels?.map(({ id }) => id)).not.toContain('C0SECURITY');
  });

  it('does not help in an archived channel', async () => {
    workspace.directory.alter(workspace.channels.dbOncall, { isArchived: true });
    expect(await refusal(post(workspace.channels.dbOncall))).toBe('is_archived');
  });
});
