import * as z from 'zod';
import type { Core } from '../core.ts';
import type { WorkspaceFile } from '../state/model.ts';
import { fileJson } from '../wire/file.ts';
import type { Arguments } from './arguments.ts';
import { postableChannel } from './conversation.ts';
import type { ApiMethods } from './method.ts';
import { refusedBecause, SlackError } from './slack-error.ts';

const MAX_BYTES = 1_000_000_000;
const CompletedFiles = z.array(z.object({ id: z.string(), title: z.string().default('') })).min(1);

/** The upload in three steps: https://docs.slack.dev/messaging/working-with-files */
export const fileMethods: ApiMethods = {
  'files.getUploadURLExternal': { scopes: ['files:write'], run: reserve },
  'files.completeUploadExternal': { scopes: ['files:write'], run: complete },
  'files.info': {
    scopes: ['files:read'],
    run: (core, args) => ({ file: fileJson(core, knownFile(core, args)) }),
  },
  'files.delete': { scopes: ['files:write'], run: remove },
};

function reserve(core: Core, args: Arguments): object {
  const name = args.required('filename');
  const length = args.count('length', 0);
  if (length === 0) throw refusedBecause('invalid_arguments', ['missing required field: length']);
  if (length > MAX_BYTES) throw new SlackError('file_upload_size_restricted');
  if ((args.text('alt_txt') ?? '').length > 1000) throw new SlackError('alt_txt_too_large');
  const { id, secret } = core.files.reserve(name, length, core.app.botUserId);
  return { upload_url: `${core.origin}/upload/v1/${secret}`, file_id: id };
}

function complete(core: Core, args: Arguments): object {
  const { data: files } = CompletedFiles.safeParse(args.json('files'));
  if (files === undefined) throw new SlackError('invalid_arguments');
  for (const { id } of files) {
    const state = core.files.get(id)?.state;
    // Once only: afterwards the upload is gone.
    if (state !== 'uploaded') throw new SlackError('file_not_found');
  }
  const names = [args.text('channel_id'), ...(args.text('channels') ?? '').split(',')];
  const channels = names.filter((name) => name !== undefined && name !== '') as string[];
  const ids = channels.map((name) => postableChannel(core, name).id);
  const threadTs = args.text('thread_ts');
  const text = args.text('initial_comment');
  const completed = core.files.complete({
    titles: new Map(files.map(({ id, title }) => [id, title])),
    user: core.app.botUserId,
    processingMs: core.faultSource.processingMs,
    isNeverShared: core.faultSource.takeNeverShared(),
    ...(ids.length === 0
      ? {}
      : { place: { channels: ids, threadTs, ...(text === undefined ? {} : { text }) } }),
  });
  return { files: completed.map((file) => fileJson(core, file)) };
}

function remove(core: Core, args: Arguments): object {
  const file = knownFile(core, args);
  if (file.user !== core.app.botUserId) throw new SlackError('cant_delete_file');
  core.files.remove(file.id);
  return {};
}

/** Files exist for the Web API from their completion on. */
function knownFile(core: Core, args: Arguments): WorkspaceFile {
  const file = core.files.get(args.required('file'));
  if (file?.state === 'deleted') throw new SlackError('file_deleted');
  if (file === undefined || file.state === 'reserved' || file.state === 'uploaded') {
    throw new SlackError('file_not_found');
  }
  return file;
}
