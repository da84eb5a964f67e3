import * as z from 'zod';
import {
  Confirm,
  choices,
  hasChoices,
  hasPixels,
  Id,
  ONE_KIND_OF_CHOICES,
  ONE_KIND_OF_PIXELS,
  Option,
  PlainText,
  pixels,
  Text,
} from './composition.ts';

/** Elements that people use. https://docs.slack.dev/reference/block-kit/block-elements */

const Placeholder = PlainText(150).optional();
const interactive = { action_id: Id, confirm: Confirm, focus_on_load: z.boolean().optional() };
const DispatchConfig = z.looseObject({}).optional();

const Button = z.strictObject({
  type: z.literal('button'),
  text: PlainText(75),
  action_id: Id,
  url: z.string().max(3000).optional(),
  value: z.string().max(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: Confirm,
  accessibility_label: z.string().max(75).optional(),
});

const Overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: Id,
  options: z.array(Option).min(1).max(5),
  confirm: Confirm,
});

const StaticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...interactive,
    ...choices,
    placeholder: Placeholder,
    initial_option: Option.optional(),
  })
  .refine(hasChoices, { error: ONE_KIND_OF_CHOICES });

const MultiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...interactive,
    ...choices,
    placeholder: Placeholder,
    initial_options: z.array(Option).min(1).max(100).optional(),
    max_selected_items: z.int().min(1).optional(),
  })
  .refine(hasChoices, { error: ONE_KIND_OF_CHOICES });

const UsersSelect = z.strictObject({
  type: z.literal('users_select'),
  ...interactive,
  placeholder: Placeholder,
  initial_user: z.string().optional(),
});

const ChannelsSelect = z.strictObject({
  type: z.literal('channels_select'),
  ...interactive,
  placeholder: Placeholder,
  initial_channel: z.string().optional(),
  response_url_enabled: z.boolean().optional(),
});

const ConversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...interactive,
  placeholder: Placeholder,
  initial_conversation: z.string().optional(),
  default_to_current_conversation: z.boolean().optional(),
  response_url_enabled: z.boolean().optional(),
  filter: z.looseObject({}).optional(),
});

const Checkboxes = z.strictObject({
  type: z.literal('checkboxes'),
  ...interactive,
  options: z.array(Option).min(1).max(10),
  initial_options: z.array(Option).min(1).max(10).optional(),
});

const RadioButtons = z.strictObject({
  type: z.literal('radio_buttons'),
  ...interactive,
  options: z.array(Option).min(1).max(10),
  initial_option: Option.optional(),
});

const DatePicker = z.strictObject({
  type: z.literal('datepicker'),
  ...interactive,
  placeholder: Placeholder,
  initial_date: z.iso.date().optional(),
});

const TimePicker = z.strictObject({
  type: z.literal('timepicker'),
  ...interactive,
  placeholder: Placeholder,
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  timezone: z.string().optional(),
});

const PlainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  action_id: Id,
  initial_value: z.string().max(3000).optional(),
  multiline: z.boolean().optional(),
  min_length: z.int().min(0).max(3000).optional(),
  max_length: z.int().min(1).max(3000).optional(),
  placeholder: Placeholder,
  dispatch_action_config: DispatchConfig,
  focus_on_load: z.boolean().optional(),
});

const NumberInput = z.strictObject({
  type: z.literal('number_input'),
  action_id: Id,
  is_decimal_allowed: z.boolean(),
  initial_value: z.string().optional(),
  min_value: z.string().optional(),
  max_value: z.string().optional(),
  placeholder: Placeholder,
  dispatch_action_config: DispatchConfig,
  focus_on_load: z.boolean().optional(),
});

/** Elements that the page does not work with; only their type is looked at. */
const Other = z.looseObject({
  type: z.enum([
    'datetimepicker',
    'email_text_input',
    'external_select',
    'feedback_buttons',
    'file_input',
    'icon_button',
    'multi_channels_select',
    'multi_conversations_select',
    'multi_external_select',
    'multi_users_select',
    'rich_text_input',
    'url_text_input',
    'workflow_button',
  ]),
});

const ImageElement = z
  .strictObject({ type: z.literal('image'), alt_text: z.string().min(1).max(2000), ...pixels })
  .refine(hasPixels, { error: ONE_KIND_OF_PIXELS });

const shared = [
  MultiStaticSelect,
  StaticSelect,
  UsersSelect,
  ChannelsSelect,
  ConversationsSelect,
  Checkboxes,
  RadioButtons,
  DatePicker,
  TimePicker,
  Other,
] as const;

export const ActionElement = z.discriminatedUnion('type', [Button, Overflow, ...shared]);
export const Accessory = z.discriminatedUnion('type', [ImageElement, Button, Overflow, ...shared]);
export const InputElement = z.discriminatedUnion('type', [PlainTextInput, NumberInput, ...shared]);
export const ContextElement = z.discriminatedUnion('type', [ImageElement, Text(3000)]);
