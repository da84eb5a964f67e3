import type { Core } from '../core.ts';
import type { Arguments } from './arguments.ts';
import { postableChannel } from './conversation.ts';
import type { ApiMethods } from './method.ts';
import { SlackError } from './slack-error.ts';

export const reactionMethods: ApiMethods = {
  'reactions.add': {
    scopes: ['reactions:write'],
    run(core, args) {
      const { message, name, users } = reaction(core, args);
      if (users.includes(core.app.botUserId)) throw new SlackError('already_reacted');
      core.messages.react(message, name, [...users, core.app.botUserId]);
      return {};
    },
  },
  'reactions.remove': {
    scopes: ['reactions:write'],
    run(core, args) {
      const { message, name, users } = reaction(core, args);
      if (!users.includes(core.app.botUserId)) throw new SlackError('no_reaction');
      const others = users.filter((user) => user !== core.app.botUserId);
      core.messages.react(message, name, others);
      return {};
    },
  },
};

function reaction(core: Core, args: Arguments) {
  const { id } = postableChannel(core, args.required('channel'));
  const message = core.messages.get(id, args.required('timestamp'));
  if (message === undefined) throw new SlackError('message_not_found');
  const name = args.required('name');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new SlackError('invalid_name');
  return { message, name, users: message.reactions[name] ?? [] };
}
