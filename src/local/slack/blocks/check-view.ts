import * as z from 'zod';
import type { ViewDefinition } from '../state/model.ts';
import { type BlockRules, checkBlocks } from './check.ts';
import { complaint, complaintsOf } from './complaint.ts';
import { PlainText } from './composition.ts';

/** Modals and Homes. https://docs.slack.dev/reference/views */
const common = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3000).default(''),
  callback_id: z.string().max(255).default(''),
  external_id: z.string().max(255).default(''),
};

const AnyView = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: PlainText(24),
    submit: PlainText(24).optional(),
    close: PlainText(24).optional(),
    clear_on_close: z.boolean().default(false),
    notify_on_close: z.boolean().default(false),
    submit_disabled: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('home'), ...common }),
]);

const MAX_VIEW_BYTES = 250_000;

export type CheckedView =
  | { readonly view: ViewDefinition }
  | { readonly error: string; readonly errors: readonly string[] };

/** Checks a view as Slack does when it is opened, pushed, updated or published. */
export function checkView(
  value: unknown,
  surface: 'modal' | 'home',
  fileById: BlockRules['fileById'],
): CheckedView {
  if (JSON.stringify(value ?? null).length > MAX_VIEW_BYTES) {
    return { error: 'view_too_large', errors: [] };
  }
  const parsed = AnyView.safeParse(value, { reportInput: true });
  const refuse = (errors: readonly string[]) => ({ error: 'invalid_arguments', errors });
  if (parsed.error !== undefined) return refuse(complaintsOf(parsed.error.issues, '/view'));
  const view = parsed.data;
  if (view.type !== surface) {
    return refuse([complaint(`unsupported type: ${view.type}`, '/view/type')]);
  }
  const checked = checkBlocks(view.blocks, { surface, pointer: '/view/blocks', fileById });
  if ('error' in checked) return refuse(checked.errors);
  const { blocks } = checked;
  if (view.type === 'home') {
    return { view: { ...view, blocks, notify_on_close: false, clear_on_close: false } };
  }
  if (view.submit === undefined && blocks.some(({ type }) => type === 'input')) {
    return refuse([complaint('missing required field: submit', '/view')]);
  }
  const { submit, close, ...rest } = view;
  return {
    view: {
      ...rest,
      blocks,
      ...(submit === undefined ? {} : { submit }),
      ...(close === undefined ? {} : { close }),
    },
  };
}
