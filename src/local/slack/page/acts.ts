import * as z from 'zod';
import type { Core } from '../core.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Events } from '../delivery/events.ts';
import { typeCommand } from '../people/commands.ts';
import { closeForm, submitForm, valuesOf } from '../people/forms.ts';
import { clickInMessage, clickInView, useMessageShortcut } from '../people/interactions.ts';
import { invite, say } from '../people/say.ts';
import type { ReadMarks } from './read-marks.ts';

const address = z.object({ channel: z.string(), ts: z.string() });
const input = z.union([z.string(), z.array(z.string())]);
const wanted = {
  actionId: z.string(),
  blockId: z.string().optional(),
  value: z.string().optional(),
};

/** What a person does on the page. */
const Act = z.discriminatedUnion('act', [
  z.object({
    act: z.literal('send'),
    channel: z.string(),
    text: z.string().min(1).max(40_000),
    threadTs: z.string().optional(),
  }),
  z.object({
    act: z.literal('click'),
    message: address,
    ...wanted,
    choice: input.optional(),
  }),
  z.object({
    act: z.literal('click-in-view'),
    viewId: z.string(),
    ...wanted,
    choice: input.optional(),
    input: z.record(z.string(), input).default({}),
  }),
  z.object({ act: z.literal('shortcut'), message: address, callbackId: z.string() }),
  z.object({ act: z.literal('submit'), input: z.record(z.string(), input) }),
  z.object({ act: z.literal('close') }),
  z.object({ act: z.literal('home'), channel: z.string(), tab: z.enum(['home', 'messages']) }),
  z.object({ act: z.literal('read'), channel: z.string(), ts: z.string() }),
  z.object({ act: z.literal('dismiss'), message: address }),
  z.object({ act: z.literal('join'), channel: z.string() }),
]);
type Act = z.infer<typeof Act>;

export interface ActDeps {
  readonly core: Core;
  readonly delivery: Delivery;
  readonly events: Events;
  readonly marks: ReadMarks;
}

/** Carries out what came from the page; throws when it makes no sense. */
export async function carryOut(deps: ActDeps, user: string, body: unknown): Promise<object> {
  const act = Act.parse(body);
  const { core, delivery } = deps;
  switch (act.act) {
    case 'send':
      return send(deps, user, act);
    case 'click':
      return clickInMessage(core, delivery, withoutUndefined({ ...act, user }));
    case 'click-in-view': {
      const view = core.views.find(act.viewId);
      if (view === undefined || view.user !== user) throw new Error('there is no such view');
      const values = valuesOf(view, act.input);
      return clickInView(core, delivery, withoutUndefined({ ...act, view, values }));
    }
    case 'shortcut':
      return useMessageShortcut(core, delivery, { ...act, user });
    case 'submit':
      return submitForm(core, delivery, user, act.input);
    case 'close':
      await closeForm(core, delivery, user);
      return {};
    case 'home':
      deps.events.homeOpened(user, act.channel, act.tab);
      return {};
    case 'read':
      deps.marks.read(user, act.channel, act.ts);
      return {};
    case 'dismiss': {
      const message = core.messages.ephemeral(act.message.channel, act.message.ts);
      if (message?.visibleTo === user) core.messages.remove(message);
      return {};
    }
    case 'join':
      if (core.directory.channel(act.channel)?.kind === 'public') {
        core.directory.join(act.channel, user);
      }
      return {};
  }
}

async function send(
  { core, delivery }: ActDeps,
  user: string,
  { channel, text, threadTs }: Extract<Act, { act: 'send' }>,
): Promise<object> {
  const thread = threadTs === undefined ? {} : { threadTs };
  const [, handle] = /^\/invite\s+(\S+)\s*$/.exec(text) ?? [];
  if (handle !== undefined) {
    invite(core, user, channel, handle);
    return {};
  }
  if (text.startsWith('/')) return typeCommand(core, delivery, { user, channel, text, ...thread });
  return { ts: say(core, { user, channel, text, ...thread }).ts };
}

/** The same without fields that hold undefined: they are absent. */
function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  // Every field that is left has a value.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
