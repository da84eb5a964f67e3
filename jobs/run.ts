import type { Job } from './job.ts';
import { runStatement } from './run/execute.ts';
import { RunArgs, readRunWords } from './run/words.ts';

export const run: Job = {
  name: 'run',
  summary: 'Run a SELECT once under the profiler, and show what held its memory',
  usage: 'run [on:<target>] [time:<span>] [memory:<size>] [rows:<count>] [bytes:<size>] <SELECT>',
  example: 'run on:prod time:30s SELECT user_id, count() FROM hits GROUP BY user_id',
  // It costs a server what the caps allow.
  isRestricted: true,
  runsInShell: true,
  read: (command) => ({ args: readRunWords(command, run.usage) }),
  run: (args, context) => runStatement(RunArgs.parse(args), context),
};
