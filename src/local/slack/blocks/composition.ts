import * as z from 'zod';

/**
 * The small objects that blocks are made of, with Slack's limits.
 * https://docs.slack.dev/reference/block-kit/composition-objects
 */

export const Id = z.string().min(1).max(255).optional();

export function PlainText(maxLength: number) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(maxLength),
    emoji: z.boolean().optional(),
  });
}

function Mrkdwn(maxLength: number) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(maxLength),
    verbatim: z.boolean().optional(),
  });
}

/** Plain text or mrkdwn. */
export function Text(maxLength: number) {
  return z.discriminatedUnion('type', [PlainText(maxLength), Mrkdwn(maxLength)]);
}

export const Confirm = z
  .strictObject({
    title: PlainText(100),
    text: Text(300),
    confirm: PlainText(30),
    deny: PlainText(30),
    style: z.enum(['primary', 'danger']).optional(),
  })
  .optional();

export const Option = z.strictObject({
  text: Text(75),
  value: z.string().min(1).max(75),
  description: Text(75).optional(),
  url: z.string().max(3000).optional(),
});

const OptionGroup = z.strictObject({
  label: PlainText(75),
  options: z.array(Option).min(1).max(100),
});

/** What a static select offers: options, or groups of them. */
export const choices = {
  options: z.array(Option).min(1).max(100).optional(),
  option_groups: z.array(OptionGroup).min(1).max(100).optional(),
};

export function hasChoices(element: { options?: unknown; option_groups?: unknown }): boolean {
  return (element.options === undefined) !== (element.option_groups === undefined);
}

export const ONE_KIND_OF_CHOICES = 'provide options or option_groups, and not both';

/** An uploaded file: by id or by its private URL. */
export const SlackFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^F[A-Z0-9]{8,}$/)
      .optional(),
    url: z.string().max(3000).optional(),
  })
  .refine(({ id, url }) => (id === undefined) !== (url === undefined), {
    error: 'provide id or url, and not both',
  });

/** Where the pixels of an image come from. */
export const pixels = {
  image_url: z.string().min(1).max(3000).optional(),
  slack_file: SlackFile.optional(),
};

export function hasPixels(image: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined);
}

export const ONE_KIND_OF_PIXELS = 'provide image_url or slack_file, and not both';
