import { frame, state } from './store.js';

/**
 * What may be meant by what stands before the cursor: commands, people, channels.
 *
 * @typedef {{ insert: string, label: string, about: string, hint?: string }} Proposal
 * @typedef {{ start: number, proposals: Proposal[] }} Completion
 */

const BUILT_IN = [
  {
    command: '/invite',
    usageHint: '@memprof',
    description: 'Bring somebody, or an app, into this channel',
  },
];

/** @param {string} text @param {number} cursor @returns {Completion | undefined} */
export function complete(text, cursor) {
  const before = text.slice(0, cursor);
  const command = /^\/[a-z0-9_-]*$/i.exec(before);
  if (command !== null) return some(0, commands(command[0].toLowerCase()));
  const mention = /(^|\s)([@#])([a-z0-9._-]*)$/i.exec(before);
  if (mention === null) return undefined;
  const [, , sign = '', word = ''] = mention;
  const start = cursor - word.length - 1;
  return some(start, sign === '@' ? people(word.toLowerCase()) : channels(word.toLowerCase()));
}

/** How the command that is being typed goes on. @param {string} text */
export function usageOf(text) {
  const typed = /^(\/[a-z0-9_-]+) /i.exec(text)?.[1];
  const known = frame().commands.find(({ command }) => command === typed);
  return known === undefined ? undefined : `${known.command} ${known.usageHint}`;
}

/** @param {number} start @param {Proposal[]} proposals */
function some(start, proposals) {
  return proposals.length === 0 ? undefined : { start, proposals: proposals.slice(0, 8) };
}

/** @param {string} typed */
function commands(typed) {
  return [...frame().commands, ...BUILT_IN]
    .filter(({ command }) => command.startsWith(typed))
    .map(({ command, usageHint, description }) => ({
      insert: `${command} `,
      label: command,
      hint: usageHint,
      about: description,
    }));
}

/** @param {string} word */
function people(word) {
  return frame()
    .users.filter(({ name, realName }) => `${name} ${realName}`.toLowerCase().includes(word))
    .filter(({ id }) => id !== 'USLACKBOT')
    .sort((left, right) => Number(right.isBot) - Number(left.isBot))
    .map(({ name, realName, title, isBot }) => ({
      insert: `@${name} `,
      label: `@${name}`,
      about: isBot ? 'App' : `${realName}${title === '' ? '' : ` · ${title}`}`,
    }));
}

/** @param {string} word */
function channels(word) {
  return [...state.channels.values()]
    .filter(({ kind, name }) => kind !== 'im' && name.includes(word))
    .map(({ name, topic }) => ({ insert: `#${name} `, label: `#${name}`, about: topic }));
}

/**
 * The text as Slack's clients send it: three characters escaped, names as ids. A command goes as it was typed.
 * @param {string} text
 */
export function encode(text) {
  if (text.startsWith('/')) return text;
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/(^|\s)@([a-z0-9._-]+)/gi, (whole, space, name) => {
      const user = frame().users.find((one) => one.name === name.toLowerCase());
      return user === undefined ? whole : `${space}<@${user.id}>`;
    })
    .replace(/(^|\s)#([a-z0-9._-]+)/gi, (whole, space, name) => {
      const channel = [...state.channels.values()].find((one) => one.name === name.toLowerCase());
      return channel === undefined ? whole : `${space}<#${channel.id}|${channel.name}>`;
    });
}
