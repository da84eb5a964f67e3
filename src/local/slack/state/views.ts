import type { Changes } from './changes.ts';
import { newId, newSecret } from './ids.ts';
import type { View, ViewDefinition } from './model.ts';

/** Slack stacks this many modals on each other. */
export const VIEW_STACK_LIMIT = 3;

/** The modals that people have open, and their Homes. */
export interface Views {
  /** From the first opened to the one on top. */
  stack(user: string): readonly View[];
  find(id: string): View | undefined;
  findByExternalId(externalId: string): View | undefined;
  /** Instead of what is open. */
  open(user: string, definition: ViewDefinition): View;
  push(user: string, definition: ViewDefinition): View;
  update(view: View, definition: ViewDefinition): View;
  /** Closes the top one and shows the one below. */
  pop(user: string): void;
  clear(user: string): void;
  home(user: string): View | undefined;
  publish(user: string, definition: ViewDefinition): View;
}

export function createViews(changes: Changes): Views {
  const stacks = new Map<string, readonly View[]>();
  const homes = new Map<string, View>();
  const stack = (user: string) => stacks.get(user) ?? [];
  const all = () => [...[...stacks.values()].flat(), ...homes.values()];

  function setStack(user: string, views: readonly View[]): void {
    stacks.set(user, views);
    changes.publish({ kind: 'views', user });
  }

  function create(user: string, definition: ViewDefinition, below?: View): View {
    const id = newId('V');
    return {
      id,
      user,
      type: definition.type,
      hash: newHash(),
      rootViewId: below?.rootViewId ?? id,
      ...(below === undefined ? {} : { previousViewId: below.id }),
      definition,
    };
  }

  function show(user: string, views: readonly View[], view: View): View {
    setStack(user, [...views, view]);
    return view;
  }

  return {
    stack,
    find: (id) => all().find((view) => view.id === id),
    findByExternalId: (externalId) =>
      all().find(({ definition }) => definition.external_id === externalId),
    open: (user, definition) => show(user, [], create(user, definition)),
    push: (user, definition) =>
      show(user, stack(user), create(user, definition, stack(user).at(-1))),
    update(view, definition) {
      const updated = { ...view, definition, hash: newHash() };
      if (view.type === 'home') {
        homes.set(view.user, updated);
        changes.publish({ kind: 'home', user: view.user });
      } else {
        setStack(
          view.user,
          stack(view.user).map((other) => (other.id === view.id ? updated : other)),
        );
      }
      return updated;
    },
    pop: (user) => setStack(user, stack(user).slice(0, -1)),
    clear: (user) => setStack(user, []),
    home: (user) => homes.get(user),
    publish(user, definition) {
      const known = homes.get(user);
      const view =
        known === undefined ? create(user, definition) : { ...known, definition, hash: newHash() };
      homes.set(user, view);
      changes.publish({ kind: 'home', user });
      return view;
    },
  };
}

function newHash(): string {
  return `${Math.floor(Date.now() / 1000)}.${newSecret().slice(0, 8)}`;
}
