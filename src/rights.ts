import type { Config } from './config.ts';
import { Failure } from './failure.ts';

/** Who asks, from where. */
export interface Asker {
  /** Slack user id. */
  readonly user: string;
  /** Ids of the user groups the user is in; empty when not known. */
  readonly groups: readonly string[];
  readonly channel: string;
}

/** What is asked for. */
export interface Ask {
  readonly verb: string;
  /** Absent for verbs that concern no server. */
  readonly target?: string;
  /** A verb that changes something, or may cost a server much: closed unless a right opens it. */
  readonly isRestricted: boolean;
}

/**
 * Throws `not-allowed` unless the config lets this asker do this. A verb that only reads is open to all until a
 * right names it together with the target; from then on the rights decide alone.
 */
export function requireRight(config: Config, asker: Asker, ask: Ask): void {
  const concerning = config.rights.filter(
    (right) => right.verbs.includes(ask.verb) || right.verbs.includes('*'),
  );
  const group = ask.target === undefined ? undefined : config.targets[ask.target]?.group;
  const onTarget = concerning.filter(
    ({ targets }) =>
      ask.target === undefined ||
      targets.includes('*') ||
      targets.includes(ask.target) ||
      (group !== undefined && targets.includes(group)),
  );
  const named = onTarget.filter(({ verbs }) => verbs.includes(ask.verb));
  if (!ask.isRestricted && named.length === 0) return;
  // A "*" among the verbs opens what reads; what changes a server must be listed by its name.
  const granting = (ask.isRestricted ? named : onTarget).some(
    ({ who, channels }) =>
      (who.includes('*') ||
        who.includes(asker.user) ||
        asker.groups.some((id) => who.includes(id))) &&
      (channels.includes('*') || channels.includes(asker.channel)),
  );
  if (granting) return;
  throw refusal(ask, named.length > 0);
}

function refusal(ask: Ask, isListed: boolean): Failure {
  const place = ask.target === undefined ? '' : ` on ${ask.target}`;
  return new Failure('not-allowed', {
    what: `You may not use ${ask.verb}${place} from here`,
    why: isListed
      ? 'the config lists who may, and from which channels, and this is not among them'
      : `${ask.verb} changes something on a server, so it is closed until the config opens it`,
    fix: 'Ask whoever runs memprof to add a right to the config file',
    paste: `rights:\n  - verbs: [${ask.verb}]\n    targets: [${ask.target ?? '"*"'}]\n    who: [<user or user group id>]\n    channels: [<channel id>]`,
  });
}
