import { chatMethods } from './chat.ts';
import { createStreamMethods } from './chat-stream.ts';
import { conversationMethods } from './conversations.ts';
import { directoryMethods } from './directory.ts';
import { fileMethods } from './files.ts';
import type { ApiMethods } from './method.ts';
import { reactionMethods } from './reactions.ts';
import { viewMethods } from './views.ts';

/** Every method of the Web API that the workspace knows. Anything else is `unknown_method`. */
export function createApiMethods(openConnection: () => string): ApiMethods {
  return {
    ...directoryMethods,
    ...conversationMethods,
    ...chatMethods,
    ...createStreamMethods(),
    ...fileMethods,
    ...viewMethods,
    ...reactionMethods,
    'apps.connections.open': { token: 'app', run: () => ({ url: openConnection() }) },
  };
}
