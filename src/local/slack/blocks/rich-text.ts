import * as z from 'zod';
import { Id } from './composition.ts';

/** Rich text. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */

const Style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
    highlight: z.boolean().optional(),
    client_highlight: z.boolean().optional(),
    unlink: z.boolean().optional(),
  })
  .optional();

const Run = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: Style }),
  z.strictObject({
    type: z.literal('link'),
    url: z.string().min(1).max(3000),
    text: z.string().optional(),
    unsafe: z.boolean().optional(),
    style: Style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string(),
    unicode: z.string().optional(),
    style: Style,
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string(), style: Style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style: Style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style: Style }),
  z.strictObject({
    type: z.literal('broadcast'),
    range: z.enum(['here', 'channel', 'everyone']),
    style: Style,
  }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string(),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style: Style,
  }),
  z.strictObject({ type: z.literal('color'), value: z.string(), style: Style }),
]);

const Section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(Run) });

const Preformatted = z.strictObject({
  type: z.literal('rich_text_preformatted'),
  elements: z.array(Run),
  border: z.int().optional(),
  language: z.string().optional(),
});

const Quote = z.strictObject({
  type: z.literal('rich_text_quote'),
  elements: z.array(Run),
  border: z.int().optional(),
});

const List = z.strictObject({
  type: z.literal('rich_text_list'),
  style: z.enum(['bullet', 'ordered']),
  elements: z.array(Section),
  indent: z.int().min(0).max(8).optional(),
  offset: z.int().min(0).optional(),
  border: z.int().optional(),
});

export const RichText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: Id,
  elements: z.array(z.discriminatedUnion('type', [Section, Preformatted, Quote, List])),
});
