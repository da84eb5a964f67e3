import { describe, expect, it } from 'vitest';
import { permalinkOf, readPermalink } from '../../src/slack/permalink.ts';

const HERE = 'https://example.slack.com/';
const message = { channel: 'C024BE91L', ts: '1790000000.000100' };
const reply = { ...message, threadTs: '1780000000.000100' };

describe('readPermalink', () => {
  it.each([
    ['https://example.slack.com/archives/C024BE91L/p1790000000000100', message],
    ['https://example.slack.com/archives/C024BE91L/p1790000000000100/', message],
    ['  https://example.slack.com/archives/C024BE91L/p1790000000000100#x ', message],
    ['<https://example.slack.com/archives/C024BE91L/p1790000000000100>', message],
    ['<https://example.slack.com/archives/C024BE91L/p1790000000000100|a label>', message],
    ['https://acme.enterprise.slack.com/archives/C024BE91L/p1790000000000100', message],
    [
      'https://example.slack.com/archives/C024BE91L/p1790000000000100?thread_ts=1780000000.000100&cid=C024BE91L',
      reply,
    ],
    [
      'https://example.slack.com/archives/C024BE91L/p1790000000000100?x=1&amp;thread_ts=1780000000.000100&amp;cid=C024BE91L',
      reply,
    ],
    [
      'https://example.slack.com/archives/D024BE91L/p1790000000000100',
      { ...message, channel: 'D024BE91L' },
    ],
  ])('reads %s', (pasted, meant) => {
    expect(readPermalink(pasted, HERE)).toEqual(meant);
  });

  it.each([
    ['words', 'nonsense'],
    ['another workspace', 'https://other.slack.com/archives/C024BE91L/p1790000000000100'],
    ['another site', 'https://example.slack.com.evil.example/archives/C024BE91L/p1790000000000100'],
    ['without TLS', 'http://example.slack.com/archives/C024BE91L/p1790000000000100'],
    ['a channel', 'https://example.slack.com/archives/C024BE91L'],
    ['a short time', 'https://example.slack.com/archives/C024BE91L/p17900000'],
    [
      'two channels',
      'https://example.slack.com/archives/C024BE91L/p1790000000000100?thread_ts=1780000000.000100&cid=C999',
    ],
    [
      'a thread that is none',
      'https://example.slack.com/archives/C024BE91L/p1790000000000100?thread_ts=1&cid=C024BE91L',
    ],
    ['a person', 'https://example.slack.com/team/U024BE91L'],
    ['nothing', ''],
  ])('knows that it is not a message of this workspace: %s', (_what, pasted) => {
    expect(readPermalink(pasted, HERE)).toBeUndefined();
  });

  it('reads what the local workspace writes', () => {
    const local = 'http://127.0.0.1:39000/';
    expect(
      readPermalink('http://127.0.0.1:39000/archives/C1LOCAL/p1790000000000100', local),
    ).toEqual({
      channel: 'C1LOCAL',
      ts: '1790000000.000100',
    });
  });
});

describe('permalinkOf', () => {
  it.each([message, reply])('writes what readPermalink reads: %j', (address) => {
    expect(readPermalink(permalinkOf(address, HERE), HERE)).toEqual(address);
  });

  it('names no thread for the message that begins it', () => {
    expect(permalinkOf({ ...message, threadTs: message.ts }, HERE)).toBe(
      'https://example.slack.com/archives/C024BE91L/p1790000000000100',
    );
  });
});
