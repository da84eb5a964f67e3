import type { Core } from '../core.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Receipt } from '../delivery/parcel.ts';
import { nowTs } from '../state/ids.ts';
import type { Message, View } from '../state/model.ts';
import { messageJson } from '../wire/message.ts';
import { type ViewValues, viewJson } from '../wire/view.ts';
import { type Input, stateOf } from './element-state.ts';
import { type FoundElement, findElement, type Wanted } from './find-element.ts';
import { channelNameFor, whoAndWhere } from './payload.ts';

export interface Click extends Wanted {
  readonly user: string;
  readonly message: { readonly channel: string; readonly ts: string };
  /** What is chosen in a select, an overflow menu, checkboxes. */
  readonly choice?: Input;
}

/** Uses an element of a message. Throws when the message has no such element or the person does not see it. */
export async function clickInMessage(
  core: Core,
  delivery: Delivery,
  click: Click,
): Promise<Receipt> {
  const { user, choice } = click;
  const message = seenMessage(core, user, click.message);
  const found = findElement(message.blocks, click);
  const { channel, ts, threadTs } = message;
  const isEphemeral = message.visibleTo !== undefined;
  const responsePath = core.responseUrls.issue('actions', {
    channel,
    user,
    message: { ts, isEphemeral },
  });
  return interact(delivery, {
    type: 'block_actions',
    ...whoAndWhere(core, user),
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: channel,
      is_ephemeral: isEphemeral,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    },
    channel: { id: channel, name: channelNameFor(core, channel) },
    // What one person alone sees is not told again.
    ...(isEphemeral ? {} : { message: messageJson(core, message) }),
    state: { values: {} },
    response_url: core.origin + responsePath,
    actions: [actionOf(found, choice)],
  });
}

export interface ClickInView extends Wanted {
  readonly view: View;
  readonly choice?: Input;
  readonly values: ViewValues;
}

/** Uses a button or select of a modal or a Home. */
export async function clickInView(
  core: Core,
  delivery: Delivery,
  click: ClickInView,
): Promise<Receipt> {
  const { view, values, choice } = click;
  const found = findElement(view.definition.blocks, click);
  return interact(delivery, {
    type: 'block_actions',
    ...whoAndWhere(core, view.user),
    container: { type: 'view', view_id: view.id },
    view: viewJson(core, view, values),
    hash: view.hash,
    state: { values },
    actions: [actionOf(found, choice)],
  });
}

export interface MessageShortcut {
  readonly user: string;
  readonly message: { readonly channel: string; readonly ts: string };
  readonly callbackId: string;
}

/** Chooses a shortcut in the menu of a message that everybody sees. */
export async function useMessageShortcut(
  core: Core,
  delivery: Delivery,
  { user, message: address, callbackId }: MessageShortcut,
): Promise<Receipt> {
  const message = core.messages.get(address.channel, address.ts);
  if (message === undefined) throw new Error('shortcuts are offered only on messages to everybody');
  const { channel, ts } = message;
  const responsePath = core.responseUrls.issue('actions', { channel, user });
  return interact(delivery, {
    type: 'message_action',
    callback_id: callbackId,
    ...whoAndWhere(core, user),
    message_ts: ts,
    channel: { id: channel, name: channelNameFor(core, channel) },
    message: messageJson(core, message),
    response_url: core.origin + responsePath,
  });
}

/** Chooses a shortcut that belongs to no message. */
export async function useGlobalShortcut(
  core: Core,
  delivery: Delivery,
  user: string,
  callbackId: string,
): Promise<Receipt> {
  const who = whoAndWhere(core, user);
  return interact(delivery, {
    type: 'shortcut',
    callback_id: callbackId,
    action_ts: nowTs(),
    ...who,
  });
}

/** Sends an interaction whose acknowledgement says nothing. */
function interact(delivery: Delivery, payload: Readonly<Record<string, unknown>>) {
  return delivery.send({ kind: 'interactive', payload, acceptsResponse: false });
}

function seenMessage(core: Core, user: string, address: Click['message']): Message {
  const { channel, ts } = address;
  const whispered = core.messages.ephemeral(channel, ts);
  const message = whispered?.visibleTo === user ? whispered : core.messages.get(channel, ts);
  if (message === undefined) throw new Error(`${user} sees no message ${ts} in ${channel}`);
  return message;
}

function actionOf({ block, element }: FoundElement, choice: Input | undefined): object {
  const { action_id, type } = element;
  const common = { action_id, block_id: block.block_id, action_ts: nowTs() };
  if (type === 'button') {
    const { text, value, style } = element;
    return { ...common, type, text, ...defined({ value, style }) };
  }
  return { ...common, ...stateOf(element, choice) };
}

function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
