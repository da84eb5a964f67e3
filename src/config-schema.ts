import * as z from 'zod';

/**
 * The shape of the config file. Every key is optional unless said; unknown keys are faults, since a misspelt
 * key that is silently ignored is how a right is not taken away.
 */

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dot, dash and underscore only');

const httpUrl = z
  .string()
  .regex(/^https?:\/\//, 'must start with http:// or https://')
  .refine((text) => URL.canParse(text), 'is not a URL')
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username === '',
    'must not hold a user or password: use the keys user and password',
  );

const redisUrl = z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://');

const redisPrefix = z
  .string()
  .regex(/^\{[a-z0-9-]+\}$/, 'a lower-case name in braces: "{memprof}"');

const duration = z.number().int().positive();

const hostPort = z
  .string()
  .regex(
    /^(?:\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/i,
    'must be host:port: "keeper-1.example:9181"',
  )
  .refine((text) => portOf(text) >= 1 && portOf(text) <= 65_535, 'a port is between 1 and 65535');

/** What both kinds of target have. */
const anyTarget = {
  /** A name for several targets: `digest add <group>`, `rights.targets`. */
  group: name.optional(),
  /** PEM file of a private certificate authority. */
  caFile: z.string().optional(),
  /** Longest time a single read may take. */
  readTimeoutMs: duration.default(60_000),
  /** The Prometheus endpoint, for `stats` where nothing else can be reached: "http://chi-3.example:9363/metrics". */
  metricsUrl: httpUrl.optional(),
  /** Folder in which memprof finds the heap dumps that the server writes, by the same file names: a shared mount. */
  dumpFolder: z.string().min(1).optional(),
};

/** People's statements under the profiler: as a user of its own, and never beyond these caps. */
const RunSchema = z.strictObject({
  /** Read-only, with SELECT on what may be queried. Never the user of memprof itself. */
  user: z.string().min(1),
  password: z.string().default(''),
  maxSeconds: z.number().int().min(1).max(3600).default(60),
  maxMemoryMiB: z.number().int().min(16).default(8192),
  maxReadRows: z.number().int().positive().default(10_000_000_000),
  maxReadMiB: z
    .number()
    .int()
    .positive()
    .default(1024 * 1024),
  /** Whether somebody else with the right has to approve each statement. */
  needsApproval: z.boolean().default(false),
});

/** Sampling of production queries for a limited time, by a settings profile that memprof alone assigns. */
const SamplingSchema = z.strictObject({
  /** ClickHouse users and roles whose queries may be sampled. */
  grantees: z
    .array(z.string().regex(/^[A-Za-z0-9_.@-]{1,64}$/, 'the name of a ClickHouse user or role'))
    .min(1),
  maxMinutes: z.number().int().min(1).max(1440).default(60),
  /** Several installations of memprof on one server need different ones. */
  profile: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'lower-case letters, digits and underscore')
    .default('memprof_sampling'),
});

const ClickHouseTargetSchema = z.strictObject({
  ...anyTarget,
  kind: z.literal('clickhouse').default('clickhouse'),
  /** HTTP interface of the server: "https://chi-3.example:8443". */
  url: httpUrl,
  user: z.string().min(1).default('memprof'),
  password: z.string().default(''),
  /** Whether memprof may run SYSTEM FLUSH LOGS there (needs the grant); else it waits for the server. */
  flushLogs: z.boolean().default(true),
  /** Whether heap dumps lie below user_files, so that the table function file() reads them (needs READ ON FILE). */
  readDumpsByFile: z.boolean().default(false),
  run: RunSchema.optional(),
  sampling: SamplingSchema.optional(),
});

const KeeperTargetSchema = z
  .strictObject({
    ...anyTarget,
    kind: z.literal('keeper'),
    /** Client port, which answers four-letter words: "keeper-1.example:9181". */
    fourLetterWords: hostPort.optional(),
    /** Whether the client port speaks TLS (tcp_port_secure). */
    tls: z.boolean().default(false),
    /** HTTP control (keeper_server.http_control), which has no password: "http://127.0.0.1:9182". */
    controlUrl: httpUrl.optional(),
  })
  .refine(
    ({ fourLetterWords, controlUrl }) => fourLetterWords !== undefined || controlUrl !== undefined,
    'a keeper needs fourLetterWords (host:port of its client port) or controlUrl',
  );

const TargetSchema = z.discriminatedUnion('kind', [ClickHouseTargetSchema, KeeperTargetSchema], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must be clickhouse or keeper' : undefined),
});

const RightSchema = z.strictObject({
  verbs: z.array(z.string().min(1)).min(1),
  /** Target or group names; "*" for all. */
  targets: z.array(z.string().min(1)).min(1).default(['*']),
  /** Slack user ids (U…), user group ids (S…), or "*". */
  who: z
    .array(z.string().regex(/^(\*|[UWS][A-Z0-9]+)$/, 'a Slack user id, a user group id, or "*"'))
    .min(1)
    .default(['*']),
  /** Channel ids, or "*". */
  channels: z
    .array(z.string().regex(/^(\*|[CGD][A-Z0-9]+)$/, 'a Slack channel id, or "*"'))
    .min(1)
    .default(['*']),
});

const profileDays = z.number().int().min(1).max(3650).default(90);

/** Where readings and profiles are kept. */
const StoreSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('redis'),
    /** The queue's Redis unless said; a busy installation gives the store one of its own. */
    url: redisUrl.optional(),
    /** Braces keep all keys in one slot of a Redis Cluster. Never the queue's prefix. */
    prefix: redisPrefix.default('{memprof-store}'),
    /** The oldest profiles go when readings and profiles take more. */
    budgetMiB: z.number().positive().default(256),
    profileDays,
  }),
  z.strictObject({
    kind: z.literal('clickhouse'),
    url: httpUrl,
    user: z.string().min(1).default('default'),
    password: z.string().default(''),
    database: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, 'lower-case letters, digits and underscore')
      .default('memprof'),
    profileDays,
  }),
]);

const DigestsSchema = z.strictObject({
  /** Digests are louder when a server wastes more than this, in MiB or as a percentage of its active bytes. */
  wasteMiB: z.number().positive().optional(),
  wastePercent: z.number().positive().max(100).optional(),
  /** Who is called then: "<!here>", "<!subteam^S123>", "<@U123>". */
  mention: z
    .string()
    .regex(/^<(!here|!channel|!subteam\^[A-Z0-9]+|@[A-Z0-9]+)>$/, 'a mention as Slack writes it')
    .optional(),
  /** Targets that are read at the same time. */
  parallelism: z.number().int().min(1).max(64).default(8),
  /** Longest time that one target may take. */
  targetTimeoutMs: duration.default(60_000),
});

const SubsystemSchema = z.strictObject({
  subsystem: z.string().min(1).max(40),
  pattern: z.string().min(1).refine(isRegExp, 'is not a regular expression'),
});

/** The team's own rules, tried before the bundled ones, in the order of the list. */
export const SubsystemsSchema = z.array(SubsystemSchema);

export const ConfigSchema = z.strictObject({
  slack: z
    .strictObject({
      mode: z.enum(['socket', 'http']).default('socket'),
      botToken: z.string().min(1).optional(),
      appToken: z.string().min(1).optional(),
      signingSecret: z.string().min(1).optional(),
      /** Another address of the Web API: the local workspace, or a proxy. */
      apiUrl: httpUrl.optional(),
      /** Where the HTTP mode listens. */
      port: z.number().int().min(0).max(65_535).default(3000),
      host: z.string().default('0.0.0.0'),
    })
    .prefault({}),
  redis: z
    .strictObject({
      url: redisUrl.default('redis://127.0.0.1:6379'),
      /** Braces keep all keys in one slot of a Redis Cluster. */
      prefix: redisPrefix.default('{memprof}'),
    })
    .prefault({}),
  store: StoreSchema.prefault({ kind: 'redis' }),
  digests: DigestsSchema.prefault({}),
  worker: z
    .strictObject({
      /** Investigations at a time in one worker process. */
      concurrency: z.number().int().min(1).max(64).default(4),
      drawingThreads: z.number().int().min(1).max(16).default(1),
      /** A worker that died is noticed after about this time. */
      stalledAfterMs: duration.default(15_000),
      /** Longest time a whole investigation may take. */
      investigationTimeoutMs: duration.default(300_000),
    })
    .prefault({}),
  /** Port of the health check; absent: none. */
  healthPort: z.number().int().min(0).max(65_535).optional(),
  log: z
    .strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') })
    .prefault({}),
  targets: z.record(name, TargetSchema).default({}),
  /** What a channel means when a command names no target. */
  channels: z
    .record(
      z.string().regex(/^[CGD][A-Z0-9]+$/, 'a Slack channel id'),
      z.strictObject({ target: name.optional() }),
    )
    .default({}),
  /** Verbs that only read are open to all unless a right names them; verbs that change something are closed unless one does. */
  rights: z.array(RightSchema).default([]),
  /** The team's own rules, tried before the bundled ones. */
  subsystems: SubsystemsSchema.default([]),
});

export type ConfigFile = z.infer<typeof ConfigSchema>;
export type Target = z.infer<typeof TargetSchema>;
export type ClickHouseTarget = z.infer<typeof ClickHouseTargetSchema>;
export type KeeperTarget = z.infer<typeof KeeperTargetSchema>;
export type Right = z.infer<typeof RightSchema>;

function portOf(text: string): number {
  return Number(text.slice(text.lastIndexOf(':') + 1));
}

function isRegExp(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
