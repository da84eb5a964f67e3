import type { AppIdentity, Channel, Team, User, UserGroup } from './model.ts';

/** Who and what is in the workspace when it starts. The ids are fixed, so that tests and configs can name them. */

export const team: Team = { id: 'T0DATAOPS1', name: 'Data Platform', domain: 'data-platform' };

export const app: AppIdentity = {
  appId: 'A0MEMPROF1',
  botId: 'B0MEMPROF1',
  botUserId: 'U0MEMPROF1',
};

const person = (id: string, realName: string, title: string, isAdmin = false): User => ({
  id,
  name: (realName.split(' ')[0] ?? realName).toLowerCase(),
  realName,
  title,
  isBot: false,
  isAdmin,
});

export const dana = person('U0DANA0001', 'Dana Whitfield', 'On call, databases', true);
export const mei = person('U0MEI00001', 'Mei Tanaka', 'Site reliability');
export const ivan = person('U0IVAN0001', 'Ivan Petrov', 'Analytics engineer');
export const sam = person('U0SAM00001', 'Sam Okafor', 'Product analyst');

/** Speaks for Slack itself, to one person alone. */
export const slackbot: User = {
  ...person('USLACKBOT', 'Slackbot', ''),
  isBot: true,
};

export const people: readonly User[] = [dana, mei, ivan, sam];

export const userGroups: readonly UserGroup[] = [
  { id: 'S0DBONCALL', handle: 'db-oncall', name: 'Database on call', users: [dana.id, mei.id] },
];

const channel = (
  id: string,
  name: string,
  topic: string,
  members: readonly (User | string)[],
): Channel => ({
  id,
  name,
  kind: 'public',
  topic,
  members: members.map((member) => (typeof member === 'string' ? member : member.id)),
  isArchived: false,
  isExternallyShared: false,
});

export const dbOncall = channel(
  'C0DBONCALL',
  'db-oncall',
  'ClickHouse: who is on call, what is on fire',
  [dana, mei, ivan, sam, app.botUserId],
);
export const incident = channel(
  'C0INC04711',
  'incident-4711',
  'ch-3 runs into its memory limit. Lead: Mei',
  [dana, mei, ivan, app.botUserId],
);
export const general = channel('C0GENERAL1', 'general', 'Everything that concerns everybody', [
  ...people,
]);
export const securityReviews: Channel = {
  ...channel('C0SECURITY', 'security-reviews', 'By invitation', [dana, mei]),
  kind: 'private',
};
/** Dana's direct messages with the app. */
export const danaWithApp: Channel = {
  ...channel('D0DANA0001', '', '', [dana, app.botUserId]),
  kind: 'im',
};

export const channels: readonly Channel[] = [
  dbOncall,
  incident,
  general,
  securityReviews,
  danaWithApp,
];

/** What was said before anybody came: `minutesAgo`, and `replies` in its thread. */
export const saidBefore: readonly Said[] = [
  {
    channel: general.id,
    user: sam.id,
    minutesAgo: 190,
    text: 'Dashboards are slow again, is somebody on it?',
  },
  {
    channel: general.id,
    user: mei.id,
    minutesAgo: 186,
    text: `Yes, it is <#${incident.id}|incident-4711>. Updates there.`,
  },
  {
    channel: incident.id,
    user: mei.id,
    minutesAgo: 184,
    text: '*INC-4711* ch-3 answers with `MEMORY_LIMIT_EXCEEDED` since 09:40. Updates in this thread, please.',
    replies: [
      {
        user: ivan.id,
        minutesAgo: 181,
        text: 'The hourly rollup was deployed yesterday. Suspicious.',
      },
      {
        user: dana.id,
        minutesAgo: 176,
        text: 'Taking it. First question: which query held how much?',
      },
    ],
  },
  {
    channel: dbOncall.id,
    user: mei.id,
    minutesAgo: 45,
    text: `Handing the pager to <@${dana.id}>. Open: <#${incident.id}|incident-4711>.`,
  },
  { channel: dbOncall.id, user: dana.id, minutesAgo: 44, text: 'Got it, thanks :+1:' },
];

export interface Said {
  readonly channel: string;
  readonly user: string;
  readonly minutesAgo: number;
  readonly text: string;
  readonly replies?: readonly Pick<Said, 'user' | 'minutesAgo' | 'text'>[];
}
