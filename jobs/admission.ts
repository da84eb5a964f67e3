import { type Config, targetOf } from '../src/config.ts';
import { Failure } from '../src/failure.ts';
import type { PlainData } from '../src/investigation.ts';
import { type Asker, requireRight } from '../src/rights.ts';
import type { CommandWords, Job } from './job.ts';

/** A command that was understood and may be carried out. */
export interface Admission {
  readonly args: PlainData;
  readonly target?: string;
  /** As it can be typed again, anywhere. */
  readonly command: string;
  readonly understood?: string;
}

/** Reads a command's words and checks that the asker may. Throws `usage`, `unknown-target`, `not-allowed`. */
export function admit(config: Config, asker: Asker, job: Job, words: CommandWords): Admission {
  const on =
    words.options.on ??
    (job.isErrand || job.locate !== undefined ? undefined : defaultTarget(config, asker.channel));
  const reading = job.read(
    on === undefined ? words : { ...words, options: { ...words.options, on } },
  );
  const target = typeof reading.args.target === 'string' ? reading.args.target : undefined;
  if (target !== undefined) targetOf(config, target);
  else if (!job.isErrand && job.locate === undefined) throw noTarget(Object.keys(config.targets));
  requireRight(config, asker, {
    verb: job.name,
    isRestricted: job.isRestricted,
    ...(target === undefined ? {} : { target }),
  });
  return {
    args: reading.args,
    command: commandOf(job, words, target),
    ...(target === undefined ? {} : { target }),
    ...(reading.understood === undefined ? {} : { understood: reading.understood }),
  };
}

/** What a command without `on:` means: the channel's own target, or the only one there is. */
export function defaultTarget(config: Config, channel: string): string | undefined {
  const ofChannel = config.channels[channel]?.target;
  if (ofChannel !== undefined) return ofChannel;
  const names = Object.keys(config.targets);
  return names.length === 1 ? names[0] : undefined;
}

function commandOf(
  job: Job,
  { raw, words, options }: CommandWords,
  target: string | undefined,
): string {
  const isNamed = target === undefined || options.on !== undefined || words.includes(target);
  const on = isNamed ? '' : `on:${target}`;
  return [job.name, raw, on].filter((part) => part !== '').join(' ');
}

function noTarget(names: readonly string[]): Failure {
  return new Failure('usage', {
    what: 'The command does not say which server',
    why:
      names.length === 0
        ? 'the config lists none'
        : `the config lists ${names.join(', ')}, and this channel has no default`,
    fix:
      names.length === 0
        ? 'Ask whoever runs memprof to add the server to the config file'
        : `Add on:<server>, on:${names[0]} say`,
  });
}
