import { checkView } from '../blocks/check-view.ts';
import type { Core } from '../core.ts';
import type { View, ViewDefinition } from '../state/model.ts';
import { VIEW_STACK_LIMIT } from '../state/views.ts';
import { viewJson } from '../wire/view.ts';
import type { Arguments } from './arguments.ts';
import type { ApiMethods } from './method.ts';
import { refusedBecause, SlackError } from './slack-error.ts';

/** https://docs.slack.dev/reference/methods/views.open and its neighbours. */
export const viewMethods: ApiMethods = {
  'views.open': {
    run(core, args) {
      // A broken view does not cost the trigger.
      const definition = viewOf(core, args, 'modal');
      const { user } = useTrigger(core, args);
      return shown(core, core.views.open(user, definition));
    },
  },
  'views.push': {
    run(core, args) {
      const definition = viewOf(core, args, 'modal');
      const { user } = useTrigger(core, args);
      if (core.views.stack(user).length >= VIEW_STACK_LIMIT) {
        throw new SlackError('push_limit_reached');
      }
      return shown(core, core.views.push(user, definition));
    },
  },
  'views.update': {
    run(core, args) {
      const view = namedView(core, args);
      if (view === undefined) throw new SlackError('not_found');
      requireHash(view, args);
      return shown(core, core.views.update(view, viewOf(core, args, view.type)));
    },
  },
  'views.publish': {
    run(core, args) {
      if (!core.manifest.features.app_home.home_tab_enabled) throw new SlackError('not_enabled');
      const user = args.required('user_id');
      if (core.directory.user(user) === undefined) throw new SlackError('invalid_arguments');
      const known = core.views.home(user);
      if (known !== undefined) requireHash(known, args);
      return shown(core, core.views.publish(user, viewOf(core, args, 'home')));
    },
  },
};

function shown(core: Core, view: View): object {
  return { view: viewJson(core, view) };
}

function viewOf(core: Core, args: Arguments, surface: 'modal' | 'home'): ViewDefinition {
  const checked = checkView(args.json('view'), surface, core.files.get);
  if ('error' in checked) throw refusedBecause(checked.error, checked.errors);
  const { external_id: externalId } = checked.view;
  const taken = externalId === '' ? undefined : core.views.findByExternalId(externalId);
  if (taken !== undefined && taken !== namedView(core, args)) {
    throw new SlackError('duplicate_external_id');
  }
  return checked.view;
}

function namedView(core: Core, args: Arguments): View | undefined {
  const id = args.text('view_id');
  if (id !== undefined) return core.views.find(id);
  return core.views.findByExternalId(args.text('external_id') ?? ' ');
}

function useTrigger(core: Core, args: Arguments): { readonly user: string } {
  const used = core.triggers.use(args.text('trigger_id') ?? '');
  if ('error' in used) throw new SlackError(used.error);
  return used;
}

/** With a hash the view is changed only if nobody else has changed it. */
function requireHash(view: View, args: Arguments): void {
  const hash = args.text('hash');
  if (hash !== undefined && hash !== view.hash) throw new SlackError('hash_conflict');
}
