import type { HomeView, ModalView } from '@slack/types';
import { admit, defaultTarget } from '../../jobs/admission.ts';
import type { Job } from '../../jobs/job.ts';
import { lineOf } from '../../jobs/status.ts';
import { askForm, formIds } from '../../templates/message/form.ts';
import { homeView } from '../../templates/message/home.ts';
import { runForm } from '../../templates/message/run-form.ts';
import { parseCommand } from '../command.ts';
import type { Config } from '../config.ts';
import { toFailure } from '../failure.ts';
import type { Chat, Investigations, Leases } from '../ports.ts';
import { runPolicyOf } from '../run-policy.ts';
import type { FormMetadata } from './payloads.ts';
import type { SlackWeb } from './web.ts';

export interface FormDeskOptions {
  readonly config: Config;
  readonly jobs: readonly Job[];
  readonly web: SlackWeb;
  readonly chat: Chat;
  readonly investigations: Investigations;
  /** Of which the Home tells. */
  readonly leases?: Pick<Leases, 'list'>;
}

/** Forms and the Home: what Slack shows beside messages. */
export interface FormDesk {
  /** A trigger lives three seconds and opens one form. */
  open(triggerId: string, view: ModalView): Promise<void>;
  /** The form for a command, filled in as far as it is known. */
  ask(metadata: FormMetadata, words?: string): ModalView;
  /** The form of `run`; undefined where the config lets nobody run statements. */
  run(metadata: FormMetadata): ModalView | undefined;
  /** What is wrong with a filled-in form, by field; undefined when it can be carried out. */
  faultsOf(form: FilledForm): Record<string, string> | undefined;
  /** `channel` is the person's own with the app: where buttons of the Home answer. */
  publishHome(user: string, channel: string): Promise<void>;
}

export interface FilledForm {
  /** The command that it means. */
  readonly text: string;
  readonly user: string;
  readonly channel: string;
  /** Where faults of the words are shown. */
  readonly wordsField: typeof formIds.words | typeof formIds.sql;
}

const HOME_COUNT = 10;

export function createFormDesk(options: FormDeskOptions): FormDesk {
  const { config, jobs, web, chat, investigations } = options;
  return {
    async open(triggerId, view) {
      await web.callOnce('views.open', { trigger_id: triggerId, view });
    },

    ask(metadata, words) {
      const target = defaultTarget(config, metadata.channel);
      return askForm({
        verbs: jobs.filter(({ isErrand, isInForm }) => !isErrand || isInForm),
        targets: Object.keys(config.targets),
        privateMetadata: JSON.stringify(metadata),
        ...(words === undefined ? {} : { words }),
        ...(target === undefined ? {} : { target }),
      });
    },

    run(metadata) {
      const targets = Object.keys(config.targets).flatMap((name) => {
        const policy = runPolicyOf(config, name);
        return policy === undefined ? [] : [{ name, ...policy }];
      });
      if (targets.length === 0) return undefined;
      const target = defaultTarget(config, metadata.channel);
      return runForm({
        targets,
        privateMetadata: JSON.stringify(metadata),
        ...(target === undefined ? {} : { target }),
      });
    },

    faultsOf({ text, user, channel, wordsField }) {
      const command = parseCommand(text, jobs);
      if (command.kind !== 'job') return undefined;
      try {
        admit(config, { user, groups: [], channel }, command.job, command.words);
      } catch (thrown) {
        const failure = toFailure(thrown);
        if (failure.kind === 'usage') return { [wordsField]: failure.message };
        if (failure.kind === 'unknown-target') return { [formIds.target]: failure.message };
        // Rights are told apart with user groups, when the command is carried out.
      }
      return undefined;
    },

    async publishHome(user, channel) {
      const recent = await investigations.recent(user, HOME_COUNT);
      const view: HomeView = homeView({
        lines: recent.map((one) => lineOf(one, chat)),
        leases: (await options.leases?.list()) ?? [],
        privateMetadata: JSON.stringify({ channel } satisfies FormMetadata),
      });
      await web.call('views.publish', { user_id: user, view });
    },
  };
}
