import {
  actions,
  context,
  escapeMrkdwn,
  header,
  inlineCode,
  type Message,
  section,
} from './blocks.ts';
import { askButton } from './buttons.ts';

export interface VerbLine {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  readonly isRestricted: boolean;
  readonly isErrand?: boolean;
}

/** One screen: every verb with what it is for. */
export function helpMessage(verbs: readonly VerbLine[]): Message {
  const lines = (isErrand: boolean) =>
    verbs
      .filter((verb) => (verb.isErrand ?? false) === isErrand)
      .map(
        ({ usage, summary, isRestricted }) =>
          `${inlineCode(`/memprof ${usage}`)}  ${escapeMrkdwn(summary)}${isRestricted ? ' (where the config allows it)' : ''}`,
      );
  return {
    text: `memprof looks into the memory of ClickHouse servers. Verbs: ${verbs.map(({ name }) => name).join(', ')}.`,
    blocks: [
      header('memprof: who holds the memory?'),
      ...(lines(false).length === 0 ? [] : [section(lines(false).join('\n'))]),
      section(lines(true).join('\n')),
      context(
        `In a thread, mention me: ${inlineCode('@memprof peak <query_id>')}`,
        `${inlineCode('/memprof')} alone opens a form`,
        `${inlineCode('/memprof help <verb>')} explains one`,
      ),
    ],
  };
}

/** One verb: what it is for, how it is typed, an example. */
export function verbHelpMessage(verb: VerbLine): Message {
  const { name, summary, usage, example, isRestricted } = verb;
  return {
    text: `${name}: ${summary}. Usage: /memprof ${usage}. Example: /memprof ${example}`,
    blocks: [
      section(
        `*${escapeMrkdwn(name)}*  ${escapeMrkdwn(summary)}\nUsage: ${inlineCode(`/memprof ${usage}`)}\nExample: ${inlineCode(`/memprof ${example}`)}`,
      ),
      context(
        isRestricted
          ? 'It changes something on a server or costs it much, so the config says who may use it'
          : 'It only reads',
      ),
    ],
  };
}

/** What was typed is no verb; the nearest command is a button and never run by itself. */
export function unknownVerbMessage(
  typed: string,
  corrected: string | undefined,
  names: readonly string[],
): Message {
  const said = `There is no verb ${inlineCode(typed)}.`;
  const known = `The verbs are ${names.map((name) => inlineCode(name)).join(', ')}.`;
  if (corrected === undefined) {
    return {
      text: `There is no verb ${typed}. The verbs are ${names.join(', ')}.`,
      blocks: [section(`${said} ${known}`)],
    };
  }
  return {
    text: `There is no verb ${typed}. Did you mean: ${corrected}?`,
    blocks: [
      section(`${said} Did you mean ${inlineCode(corrected)}?`),
      actions(askButton(corrected, corrected)),
      context(known),
    ],
  };
}
