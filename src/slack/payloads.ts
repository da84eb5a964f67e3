import * as z from 'zod';
import { formIds } from '../../templates/message/form.ts';
import type { Place } from '../investigation.ts';

/** The bits of Slack's payloads that memprof reads, beyond what Bolt types. Everything else is ignored. */

export const Mention = z.object({
  event_id: z.string(),
  team_id: z.string(),
  is_ext_shared_channel: z.boolean().default(false),
  event: z.object({
    /** Absent when another app mentions us. */
    user: z.string().optional(),
    text: z.string(),
    channel: z.string(),
    ts: z.string(),
    thread_ts: z.string().optional(),
  }),
});

export const ButtonPress = z.object({
  trigger_id: z.string(),
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
  channel: z.object({ id: z.string() }).optional(),
  container: z.object({
    message_ts: z.string().optional(),
    thread_ts: z.string().optional(),
    is_ephemeral: z.boolean().default(false),
  }),
  message: z
    .object({
      thread_ts: z.string().optional(),
      text: z.string().default(''),
      blocks: z.array(z.looseObject({ type: z.string() })).default([]),
    })
    .optional(),
  /** Of the Home, which stands in no channel. */
  view: z.object({ type: z.string(), private_metadata: z.string() }).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
});
export type ButtonPress = z.infer<typeof ButtonPress>;

/** Where a pressed button is answered: its channel, or the thread when its message is a reply. */
export function placeOf({ channel, container, message, view }: ButtonPress): Place | undefined {
  if (channel === undefined) return view?.type === 'home' ? homePlace(view) : undefined;
  const threadTs = message?.thread_ts ?? container.thread_ts;
  // The first message of a thread names itself.
  return threadTs === undefined || threadTs === container.message_ts
    ? { channel: channel.id }
    : { channel: channel.id, threadTs };
}

/** Our own words, but they went through Slack. */
function homePlace({ private_metadata }: { readonly private_metadata: string }): Place | undefined {
  const channel = /^{"channel":"([CGD][A-Z0-9]+)"}$/.exec(private_metadata)?.[1];
  return channel === undefined ? undefined : { channel };
}

export const MessageShortcut = z.object({
  trigger_id: z.string(),
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }),
  message: z.looseObject({ ts: z.string(), thread_ts: z.string().optional() }),
});

/** What a form carries through Slack and back. Not secret, and checked again when it returns. */
export const FormMetadata = z.object({
  channel: z.string().regex(/^[CGD][A-Z0-9]+$/),
  threadTs: z
    .string()
    .regex(/^\d{10}\.\d{6}$/)
    .optional(),
  investigationId: z.string().optional(),
});
export type FormMetadata = z.infer<typeof FormMetadata>;

const Selected = z.object({ selected_option: z.object({ value: z.string() }).nullish() });
const Typed = z.object({ value: z.string().nullish() });

export const FormSubmission = z.object({
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
  view: z.object({
    id: z.string(),
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({
      values: z.object({
        [formIds.verb]: z.object({ [formIds.verb]: Selected }).optional(),
        [formIds.words]: z.object({ [formIds.words]: Typed }).optional(),
        [formIds.target]: z.object({ [formIds.target]: Selected }).optional(),
        [formIds.link]: z.object({ [formIds.link]: Typed }).optional(),
        [formIds.sql]: z.object({ [formIds.sql]: Typed }).optional(),
        [formIds.time]: z.object({ [formIds.time]: Typed }).optional(),
        [formIds.memory]: z.object({ [formIds.memory]: Typed }).optional(),
      }),
    }),
  }),
});
export type FormSubmission = z.infer<typeof FormSubmission>;

/** The command that a sent form means. */
export function commandOfForm({ view }: FormSubmission, metadata: FormMetadata): string {
  const { values } = view.state;
  if (view.callback_id === formIds.attach) {
    return `attach ${metadata.investigationId ?? ''} ${values.link?.link.value ?? ''}`;
  }
  const target = values.target?.target.selected_option?.value;
  if (view.callback_id === formIds.run) {
    const [time, memory] = [values.time?.time.value?.trim(), values.memory?.memory.value?.trim()];
    return [
      'run',
      ...(target === undefined ? [] : [`on:${target}`]),
      ...(time ? [`time:${time.replace(/\s+/g, '')}`] : []),
      ...(memory ? [`memory:${memory.replace(/\s+/g, '')}`] : []),
      `\`\`\`\n${values.sql?.sql.value ?? ''}\n\`\`\``,
    ].join(' ');
  }
  return [
    values.verb?.verb.selected_option?.value ?? '',
    values.words?.words.value ?? '',
    target === undefined ? '' : `on:${target}`,
  ]
    .filter((part) => part.trim() !== '')
    .join(' ');
}
