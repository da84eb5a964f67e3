import type { Truth } from './page/notice.ts';

/** What of the workspace is as in Slack, and what is not: shown on the page and by `npm run workspace -- --help`. */
export const workspaceTruths: readonly Truth[] = [
  {
    what: 'The app',
    truth: 'real',
    how: 'memprof as it runs in production, on unmodified @slack/bolt and @slack/web-api; only the address of Slack differs',
  },
  {
    what: 'Web API, socket mode, signed requests, response URLs, triggers',
    truth: 'emulated',
    how: 'this server, with the limits, errors and delays of Slack that are documented or were reported',
  },
  {
    what: 'Block Kit',
    truth: 'emulated',
    how: 'checked by the documented limits, drawn by this page; cards, charts, video and external selects are checked by type only and not drawn',
  },
  {
    what: 'Slack, its people and channels',
    truth: 'emulated',
    how: 'made up; all of it is in memory and gone when the server stops',
  },
  {
    what: 'Search, huddles, canvases, notifications, rate limits unless ordered',
    truth: 'missing',
    how: 'nothing of memprof needs them',
  },
];
