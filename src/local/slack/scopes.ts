/** Why memprof asks for each bot scope of its manifest, for the README and for whoever has to approve the app. */
export const scopeReasons: Readonly<Record<string, string>> = {
  'app_mentions:read': 'to be asked in a thread, where Slack allows no slash commands',
  'channels:history':
    "only to find memprof's own message again when Slack's answer to posting it was lost; nothing is posted twice",
  'channels:read': 'to see whether the bot and the asker are in a channel before posting there',
  'chat:write': 'to post the finding and to edit it',
  commands: 'for /memprof and for the shortcut on messages',
  'files:read': 'to see when an uploaded picture is processed and can be shown in the message',
  'files:write': 'to upload pictures and raw files',
  'groups:history': 'as channels:history, in private channels that memprof was invited to',
  'groups:read': 'as channels:read, in private channels that memprof was invited to',
  'im:history': 'as channels:history, in direct messages with memprof',
  'im:read': 'as channels:read, in direct messages with memprof',
  'usergroups:read': 'to look up who is in a user group that the config gives rights to',
};
