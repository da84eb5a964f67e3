import { targetsMessage } from '../templates/message/targets.ts';
import { defineErrand } from './errand.ts';
import type { Job } from './job.ts';

export const targets: Job = defineErrand({
  name: 'targets',
  summary: 'List the servers that memprof may ask',
  usage: 'targets',
  example: 'targets',
  read: () => ({}),
  run: async (_args, desk) => targetsMessage(desk.targets),
});
