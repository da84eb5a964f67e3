import { readFile } from 'node:fs/promises';
import * as z from 'zod';

/**
 * The bits of a Slack app manifest that a workspace acts on.
 * Fields: https://docs.slack.dev/reference/app-manifest
 */
const Manifest = z.object({
  display_information: z.object({
    name: z.string().min(1).max(35),
    description: z.string().max(140).default(''),
  }),
  features: z.object({
    app_home: z
      .object({
        home_tab_enabled: z.boolean().default(false),
        messages_tab_enabled: z.boolean().default(true),
      })
      .prefault({}),
    bot_user: z.object({ display_name: z.string().max(80) }),
    slash_commands: z
      .array(
        z.object({
          command: z.string().regex(/^\/[a-z0-9_-]{1,31}$/),
          description: z.string().max(2000),
          usage_hint: z.string().max(1000).default(''),
          should_escape: z.boolean().default(false),
        }),
      )
      .max(50)
      .default([]),
    shortcuts: z
      .array(
        z.object({
          name: z.string().max(24),
          type: z.enum(['message', 'global']),
          callback_id: z.string().max(255),
          description: z.string().max(150),
        }),
      )
      .max(10)
      .default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()).max(100).default([]) }),
  }),
});
export type Manifest = z.infer<typeof Manifest>;

export type SlashCommand = Manifest['features']['slash_commands'][number];
export type Shortcut = Manifest['features']['shortcuts'][number];

/** A manifest from its JSON text; throws with every fault of it at once. */
export function parseManifest(json: string): Manifest {
  const { error, data } = Manifest.safeParse(JSON.parse(json));
  if (error !== undefined) throw new Error(`not an app manifest:\n${z.prettifyError(error)}`);
  return data;
}

/** The manifest with which memprof is set up in a real Slack. */
export async function readManifest(): Promise<Manifest> {
  const url = new URL(import.meta.resolve('#templates/slack-manifest.json'));
  return parseManifest(await readFile(url, 'utf8'));
}
