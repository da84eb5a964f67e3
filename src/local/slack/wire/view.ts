import type { Core } from '../core.ts';
import type { View } from '../state/model.ts';

/** What is filled in: by block id, then by action id. */
export type ViewValues = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** A view as the Web API and view interactions show it. */
export function viewJson(core: Core, view: View, values: ViewValues = {}): Record<string, unknown> {
  const { id, type, hash, rootViewId, previousViewId, definition } = view;
  return {
    ...definition,
    id,
    team_id: core.team.id,
    type,
    title: definition.title ?? null,
    submit: definition.submit ?? null,
    close: definition.close ?? null,
    state: { values },
    hash,
    root_view_id: rootViewId,
    previous_view_id: previousViewId ?? null,
    app_id: core.app.appId,
    bot_id: core.app.botId,
    app_installed_team_id: core.team.id,
  };
}
