import { requireKnownOptions } from '../src/command.ts';
import { Failure } from '../src/failure.ts';
import type { Sampling } from '../src/ports.ts';
import type { Desk, Job, JobContext, Located } from './job.ts';
import { startSampling } from './sample/start.ts';
import { samplingStatus } from './sample/status.ts';
import { stopSampling } from './sample/stop.ts';
import { readSampleWords, SampleArgs } from './sample/words.ts';
import { requireSources } from './sources.ts';

export const sample: Job = {
  name: 'sample',
  summary: "Sample a ClickHouse user's queries for some minutes; ends by itself, whatever happens",
  usage:
    'sample start <user or role> [<minutes>] [on:<target>] | sample stop <user or role, lease, or all> | sample status',
  example: 'sample start etl 10 on:prod',
  // It changes the settings of other people's queries.
  isRestricted: true,
  runsInShell: false,
  read(command) {
    requireKnownOptions(sample, command, ['on']);
    return { args: readSampleWords(command, sample.usage) };
  },
  locate: async (args, desk) => locate(SampleArgs.parse(args), desk),
  async run(raw, context) {
    const args = SampleArgs.parse(raw);
    const sampling = requireSampling(context);
    switch (args.action) {
      case 'start':
        return startSampling({ ...args, target: args.target ?? '' }, sampling, context);
      case 'stop':
        return stopSampling(args, sampling, context);
      case 'status':
        return samplingStatus(sampling, context);
    }
  },
};

/** Only what starts or ends sampling on one server is about one; the right is that for this server. */
function locate(args: SampleArgs, desk: Desk): Located | undefined {
  const target = args.action === 'status' ? undefined : (args.target ?? onlyTarget(args, desk));
  if (target === undefined) return undefined;
  desk.requireRight('sample', target, desk.place.channel);
  return { target, args: { ...args, target } };
}

function onlyTarget({ action }: SampleArgs, { targets }: Desk): string | undefined {
  // A lease is known by its id, and all are all.
  if (action !== 'start') return undefined;
  const [first, ...others] = targets.filter(({ kind }) => kind === 'clickhouse');
  if (first !== undefined && others.length === 0) return first.name;
  throw new Failure('usage', {
    what: 'sample start does not say on which server',
    why: `the config has ${targets.map(({ name }) => name).join(', ') || 'none'}`,
    fix: `Usage: ${sample.usage}`,
  });
}

function requireSampling(context: JobContext): Sampling {
  const { sampling } = requireSources(context);
  if (sampling !== undefined) return sampling;
  throw new Failure('environment', {
    what: 'sample works in chat only',
    why: 'the shell ends with its command, and nobody would see to it that sampling ends',
  });
}
