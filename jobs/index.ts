import { approve } from './approve.ts';
import { attach } from './attach.ts';
import { cancel } from './cancel.ts';
import { diff } from './diff.ts';
import { digest } from './digest.ts';
import { flush } from './flush.ts';
import { forget } from './forget.ts';
import { frag } from './frag.ts';
import { heap } from './heap.ts';
import { createHelp } from './help.ts';
import type { Job } from './job.ts';
import { peak } from './peak.ts';
import { run } from './run.ts';
import { sample } from './sample.ts';
import { stats } from './stats.ts';
import { status } from './status.ts';
import { targets } from './targets.ts';

/** THE TABLE: everything that people can ask. Parser, help, form, worker, shell and tests read it. */
export const jobs: readonly Job[] = [
  peak,
  run,
  approve,
  heap,
  frag,
  stats,
  flush,
  sample,
  diff,
  digest,
  targets,
  status,
  cancel,
  attach,
  forget,
  createHelp(() => jobs),
];
