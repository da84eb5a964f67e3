import type { Core } from '../core.ts';
import type { Share, WorkspaceFile } from '../state/model.ts';
import { isShownAsImage } from '../state/picture.ts';

/** A file object: almost empty until the file is processed, as Slack's are. */
export function fileJson(core: Core, file: WorkspaceFile): object {
  const base = {
    id: file.id,
    created: Math.floor(file.createdAtMillis / 1000),
    timestamp: Math.floor(file.createdAtMillis / 1000),
    name: file.name,
    title: file.title,
    user: file.user,
    mode: 'hosted',
    editable: false,
    is_external: false,
    size: file.bytes.length,
  };
  if (file.state !== 'ready') {
    return { ...base, mimetype: '', filetype: '', shares: {}, channels: [], groups: [], ims: [] };
  }
  const url = `${core.origin}/files-pri/${core.team.id}-${file.id}/${encodeURIComponent(file.name)}`;
  return {
    ...base,
    mimetype: file.mimetype,
    filetype: file.filetype,
    url_private: url,
    url_private_download: url,
    permalink: `${core.origin}/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    is_public: sharesOf(core, file, 'public').length > 0,
    ...(isShownAsImage(file.filetype) ? { thumb_360: url, thumb_720: url } : {}),
    ...(file.size === undefined
      ? {}
      : { original_w: file.size.widthPx, original_h: file.size.heightPx }),
    file_access: 'visible',
    shares: {
      ...byChannel('public', sharesOf(core, file, 'public')),
      ...byChannel('private', sharesOf(core, file, 'private')),
    },
    channels: channelIds(sharesOf(core, file, 'public')),
    groups: channelIds(sharesOf(core, file, 'private')),
    ims: [],
  };
}

function sharesOf(core: Core, file: WorkspaceFile, kind: 'public' | 'private'): readonly Share[] {
  return file.shares.filter(
    ({ channel }) => (core.directory.channel(channel)?.kind === 'public') === (kind === 'public'),
  );
}

function channelIds(shares: readonly Share[]): readonly string[] {
  return [...new Set(shares.map(({ channel }) => channel))];
}

function byChannel(kind: string, shares: readonly Share[]): object {
  if (shares.length === 0) return {};
  const entries = channelIds(shares).map((channel) => [
    channel,
    shares
      .filter((share) => share.channel === channel)
      .map(({ ts, threadTs }) => ({
        ts,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      })),
  ]);
  return { [kind]: Object.fromEntries(entries) };
}
