import type { ModalView, PlainTextOption } from '@slack/types';
import { clip } from './blocks.ts';

/** Which form was sent, and where its fields are: block id and action id are the same. */
export const formIds = {
  ask: 'ask-form',
  attach: 'attach-form',
  verb: 'verb',
  words: 'words',
  target: 'target',
  link: 'link',
  run: 'run-form',
  sql: 'sql',
  time: 'time',
  memory: 'memory',
} as const;

const TITLE_LENGTH = 24;
const OPTION_LENGTH = 75;
const OPTIONS = 100;

export interface AskForm {
  readonly verbs: readonly { readonly name: string; readonly summary: string }[];
  readonly targets: readonly string[];
  /** Filled in already. */
  readonly verb?: string;
  readonly words?: string;
  readonly target?: string;
  /** Comes back when the form is sent: where to answer. */
  readonly privateMetadata: string;
}

/** `/memprof` alone, and the shortcut on a message. */
export function askForm(form: AskForm): ModalView {
  const verbs = form.verbs
    .slice(0, OPTIONS)
    .map(({ name, summary }) => option(name, `${name}: ${summary}`));
  const targets = form.targets.slice(0, OPTIONS).map((name) => option(name, name));
  const verb = verbs.find(({ value }) => value === form.verb) ?? verbs[0];
  const target = targets.find(({ value }) => value === form.target);
  return {
    type: 'modal',
    callback_id: formIds.ask,
    private_metadata: form.privateMetadata,
    title: plain('memprof', TITLE_LENGTH),
    submit: plain('Investigate', TITLE_LENGTH),
    close: plain('Close', TITLE_LENGTH),
    blocks: [
      {
        type: 'input',
        block_id: formIds.verb,
        label: plain('What do you want to know?'),
        element: {
          type: 'static_select',
          action_id: formIds.verb,
          options: verbs,
          ...(verb === undefined ? {} : { initial_option: verb }),
        },
      },
      {
        type: 'input',
        block_id: formIds.words,
        optional: true,
        label: plain('Of what?'),
        hint: plain('A query id, say. Quotes, back-ticks and a whole pasted line are fine.'),
        element: {
          type: 'plain_text_input',
          action_id: formIds.words,
          max_length: 3000,
          ...(form.words === undefined ? {} : { initial_value: form.words }),
        },
      },
      ...(targets.length === 0
        ? []
        : [
            {
              type: 'input' as const,
              block_id: formIds.target,
              optional: true,
              label: plain('On which server?'),
              element: {
                type: 'static_select' as const,
                action_id: formIds.target,
                options: targets,
                ...(target === undefined ? {} : { initial_option: target }),
              },
            },
          ]),
    ],
  };
}

/** "Attach to a thread…" */
export function attachForm(investigationId: string, privateMetadata: string): ModalView {
  return {
    type: 'modal',
    callback_id: formIds.attach,
    private_metadata: privateMetadata,
    title: plain('Attach to a thread', TITLE_LENGTH),
    submit: plain('Attach the finding', TITLE_LENGTH),
    close: plain('Close', TITLE_LENGTH),
    blocks: [
      {
        type: 'section',
        text: plain(
          `The finding of investigation ${investigationId} is posted as a new message into the thread that you name.`,
        ),
      },
      {
        type: 'input',
        block_id: formIds.link,
        label: plain('Link to a message of the thread'),
        hint: plain('In the menu of the message: Copy link.'),
        element: { type: 'plain_text_input', action_id: formIds.link, max_length: 3000 },
      },
    ],
  };
}

export function option(value: string, label: string): PlainTextOption {
  return { value: clip(value, OPTION_LENGTH), text: plain(label, OPTION_LENGTH) };
}

export function plain(text: string, maxLength = 2000) {
  return { type: 'plain_text' as const, text: clip(text, maxLength), emoji: false };
}
