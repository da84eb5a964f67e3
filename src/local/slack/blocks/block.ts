import * as z from 'zod';
import { hasPixels, Id, ONE_KIND_OF_PIXELS, PlainText, pixels, Text } from './composition.ts';
import { Accessory, ActionElement, ContextElement, InputElement } from './elements.ts';
import { RichText } from './rich-text.ts';

/** Blocks with Slack's limits. https://docs.slack.dev/reference/block-kit/blocks */

const Section = z
  .strictObject({
    type: z.literal('section'),
    block_id: Id,
    text: Text(3000).optional(),
    fields: z.array(Text(2000)).min(1).max(10).optional(),
    accessory: Accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine(({ text, fields }) => text !== undefined || fields !== undefined, {
    error: 'missing required field: text',
  });

const Header = z.strictObject({
  type: z.literal('header'),
  block_id: Id,
  text: PlainText(150),
  level: z.int().min(1).max(4).optional(),
});

const Divider = z.strictObject({ type: z.literal('divider'), block_id: Id });

const Image = z
  .strictObject({
    type: z.literal('image'),
    block_id: Id,
    alt_text: z.string().min(1).max(2000),
    title: PlainText(2000).optional(),
    ...pixels,
  })
  .refine(hasPixels, { error: ONE_KIND_OF_PIXELS });

const Context = z.strictObject({
  type: z.literal('context'),
  block_id: Id,
  elements: z.array(ContextElement).min(1).max(10),
});

const Actions = z.strictObject({
  type: z.literal('actions'),
  block_id: Id,
  elements: z.array(ActionElement).min(1).max(25),
});

const Input = z.strictObject({
  type: z.literal('input'),
  block_id: Id,
  label: PlainText(2000),
  element: InputElement,
  hint: PlainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
});

const Cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({
    type: z.literal('raw_number'),
    value: z.number(),
    text: z.string().optional(),
  }),
  RichText,
]);

const Table = z.strictObject({
  type: z.literal('table'),
  block_id: Id,
  rows: z.array(z.array(Cell).min(1).max(20)).min(1).max(100),
  column_settings: z
    .array(
      z
        .strictObject({
          align: z.enum(['left', 'center', 'right']).optional(),
          is_wrapped: z.boolean().optional(),
        })
        .nullable(),
    )
    .max(20)
    .optional(),
});

const Markdown = z.strictObject({
  type: z.literal('markdown'),
  block_id: Id,
  text: z.string().min(1).max(12_000),
});

/** Blocks that the page does not draw; only their type is looked at. */
const Other = z.looseObject({
  type: z.enum([
    'alert',
    'call',
    'card',
    'carousel',
    'container',
    'context_actions',
    'data_table',
    'data_visualization',
    'file',
    'plan',
    'task_card',
    'video',
  ]),
  block_id: Id,
});

export const AnyBlock = z.discriminatedUnion('type', [
  Section,
  Header,
  Divider,
  Image,
  Context,
  Actions,
  Input,
  Table,
  Markdown,
  RichText,
  Other,
]);
export type AnyBlock = z.infer<typeof AnyBlock>;
