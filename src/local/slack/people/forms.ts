import { checkView } from '../blocks/check-view.ts';
import type { Core } from '../core.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { View } from '../state/model.ts';
import { type ViewValues, viewJson } from '../wire/view.ts';
import { type Input, initialInput, isFilledIn, stateOf } from './element-state.ts';
import { elementsIn } from './find-element.ts';
import { whoAndWhere } from './payload.ts';

/** What is filled in, by block id. */
export type FormInput = Readonly<Record<string, Input>>;

export type SubmitOutcome =
  /** Slack's client did not send it: required fields are empty. */
  | { readonly kind: 'incomplete'; readonly errors: Readonly<Record<string, string>> }
  /** The app found faults, by block id. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly error: string };

/** Presses the submit button of a person's topmost modal. */
export async function submitForm(
  core: Core,
  delivery: Delivery,
  user: string,
  input: FormInput,
): Promise<SubmitOutcome> {
  const view = core.views.stack(user).at(-1);
  if (view === undefined) throw new Error(`${user} has no form open`);
  const values = valuesOf(view, input);
  const missing = missingFields(view, values);
  if (Object.keys(missing).length > 0) return { kind: 'incomplete', errors: missing };
  const receipt = await delivery.send({
    kind: 'interactive',
    payload: {
      type: 'view_submission',
      ...whoAndWhere(core, user),
      view: viewJson(core, view, values),
      response_urls: [],
    },
    acceptsResponse: true,
  });
  if (receipt.outcome !== 'acknowledged') return { kind: 'failed', error: receipt.reason };
  return takeResponse(core, view, receipt.body);
}

/** Presses Close or Escape. */
export async function closeForm(core: Core, delivery: Delivery, user: string): Promise<void> {
  const view = core.views.stack(user).at(-1);
  if (view === undefined) return;
  const { notify_on_close: wantsToKnow, clear_on_close: clearsAll } = view.definition;
  if (clearsAll) core.views.clear(user);
  else core.views.pop(user);
  if (!wantsToKnow) return;
  const payload = {
    type: 'view_closed',
    ...whoAndWhere(core, user),
    view: viewJson(core, view),
    is_cleared: clearsAll,
  };
  await delivery.send({ kind: 'interactive', payload, acceptsResponse: false });
}

/** The state of all elements: what was filled in, else what they begin with. */
export function valuesOf(view: View, input: FormInput): ViewValues {
  const values: Record<string, Record<string, object>> = {};
  for (const { block, element } of elementsIn(view.definition.blocks)) {
    if (element.type === 'button' || element.type === 'overflow') continue;
    const given = input[block.block_id] ?? initialInput(element);
    values[block.block_id] = {
      ...values[block.block_id],
      [element.action_id]: stateOf(element, given),
    };
  }
  return values;
}

function missingFields(view: View, values: ViewValues): Record<string, string> {
  const missing = view.definition.blocks.filter(
    ({ type, optional, block_id: id }) =>
      type === 'input' &&
      optional !== true &&
      !Object.values(values[id] ?? {}).some((state) => isFilledIn(state)),
  );
  return Object.fromEntries(
    missing.map(({ block_id: id }) => [id, 'Please complete this required field.']),
  );
}

/** `response_action` of the acknowledgement; none closes the modal. */
function takeResponse(core: Core, view: View, body: unknown): SubmitOutcome {
  const response = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly response_action?: unknown;
    readonly errors?: Readonly<Record<string, string>>;
    readonly view?: unknown;
  };
  switch (response.response_action) {
    case 'errors':
      return { kind: 'errors', errors: response.errors ?? {} };
    case 'clear':
      core.views.clear(view.user);
      return { kind: 'accepted' };
    case 'update':
    case 'push': {
      const checked = checkView(response.view, 'modal', core.files.get);
      if ('error' in checked) {
        return { kind: 'failed', error: [checked.error, ...checked.errors].join(': ') };
      }
      if (response.response_action === 'update') core.views.update(view, checked.view);
      else core.views.push(view.user, checked.view);
      return { kind: 'accepted' };
    }
    default:
      core.views.pop(view.user);
      return { kind: 'accepted' };
  }
}
