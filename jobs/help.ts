import { Failure } from '../src/failure.ts';
import { helpMessage, verbHelpMessage } from '../templates/message/help.ts';
import { defineErrand } from './errand.ts';
import type { Job } from './job.ts';

/** Help reads the table that it stands in, so the table is given as a function. */
export function createHelp(jobs: () => readonly Job[]): Job {
  return defineErrand({
    name: 'help',
    summary: 'Show what memprof can do, or how one verb is used',
    usage: 'help [verb]',
    example: 'help peak',
    read: ({ words }) => (words[0] === undefined ? {} : { verb: words[0].toLowerCase() }),
    async run({ verb }: { readonly verb?: string }) {
      if (verb === undefined) return helpMessage(jobs());
      const job = jobs().find(({ name }) => name === verb);
      if (job !== undefined) return verbHelpMessage(job);
      throw new Failure('usage', {
        what: `There is no verb ${verb}`,
        why: `the verbs are ${jobs()
          .map(({ name }) => name)
          .join(', ')}`,
      });
    },
  });
}
