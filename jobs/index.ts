import { attach } from './attach.ts';
import { cancel } from './cancel.ts';
import { flush } from './flush.ts';
import { createHelp } from './help.ts';
import type { Job } from './job.ts';
import { stats } from './stats.ts';
import { status } from './status.ts';
import { targets } from './targets.ts';

/** THE TABLE: everything that people can ask. Parser, help, form, worker, shell and tests read it. */
export const jobs: readonly Job[] = [
  stats,
  flush,
  targets,
  status,
  cancel,
  attach,
  createHelp(() => jobs),
];
