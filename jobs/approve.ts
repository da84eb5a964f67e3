import { Failure } from '../src/failure.ts';
import type { PlainData } from '../src/investigation.ts';
import { investigationOf, readInvestigationId } from './errand.ts';
import type { Desk, Job, Located } from './job.ts';
import { runStatement } from './run/execute.ts';
import { RunArgs } from './run/words.ts';

/** The step of an investigation's record that says who approved it; only the first one does. */
const STEP = 'approved';

export const approve: Job = {
  name: 'approve',
  summary: 'Let a statement run that somebody else asked for',
  usage: 'approve <investigation>',
  example: 'approve k7f2m9qd',
  // Whoever approves needs the right to `run`, which is checked where the statement is looked up.
  isRestricted: false,
  runsInShell: false,
  read: (command) => ({ args: { id: readInvestigationId(command, approve).toLowerCase() } }),
  locate: (args, desk) => locate((args as { readonly id: string }).id, desk),
  run: (args, context) => runStatement(RunArgs.parse(args), context),
};

/** The statement as it was asked for: neither its text nor its caps can be changed by whoever approves. */
async function locate(id: string, desk: Desk): Promise<Located> {
  const { verb, user, request, channel } = await investigationOf(desk, id);
  const args = RunArgs.safeParse((request as { readonly args?: unknown }).args);
  if (verb !== 'run' || !args.success) {
    throw new Failure('usage', {
      what: `Investigation ${id} has nothing to approve`,
      why: 'only statements of run are approved',
      fix: `Usage: ${approve.usage}`,
    });
  }
  const { target } = args.data;
  desk.requireRight('run', target, channel);
  if (user === desk.user) {
    throw new Failure('not-allowed', {
      what: 'Nobody approves a statement of their own',
      why: 'the config asks for a second person',
      fix: 'Ask somebody else with the right to run',
    });
  }
  await claim(id, desk);
  return { target, args: { ...args.data, approvedBy: desk.user } satisfies PlainData };
}

async function claim(id: string, desk: Desk): Promise<void> {
  const own = `${desk.user} ${desk.nowMicros()}`;
  const standing = await desk.deliveries.claim(id, STEP, own);
  if (standing === own) return;
  const [approver] = standing.split(' ');
  throw new Failure('usage', {
    what: `Investigation ${id} is approved already, by <@${approver}>`,
    why: 'a statement runs once for each time that it is asked for',
    fix: 'Ask for it again if it should run again',
  });
}
