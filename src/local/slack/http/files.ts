import type { IncomingMessage } from 'node:http';
import { formOf } from '../api/arguments.ts';
import { type Answer, withFault } from '../api/serve.ts';
import type { CallLog } from '../calls.ts';
import type { Core } from '../core.ts';
import { isShownAsImage } from '../state/picture.ts';

/** Takes the bytes of an upload: raw, or as the only part of a form, which is how the client sends them. */
export async function takeUpload(
  core: Core,
  calls: CallLog,
  secret: string,
  contentType: string,
  body: Uint8Array,
): Promise<Answer> {
  const call = calls.begin('upload', { lengthBytes: body.length });
  return withFault(core.faultSource.take('upload'), call, async () => {
    const bytes = await bytesOf(contentType, body);
    if (!core.files.upload(secret, bytes)) {
      call.outcome = 'http-404';
      return { status: 404, body: 'no such upload' };
    }
    return { status: 200, body: `OK - ${bytes.length}` };
  });
}

async function bytesOf(contentType: string, body: Uint8Array): Promise<Uint8Array> {
  if (!contentType.startsWith('multipart/form-data')) return body;
  const form = await formOf(contentType, body);
  const part = [...form.values()].find((value) => typeof value !== 'string');
  return new Uint8Array((await part?.arrayBuffer()) ?? []);
}

/**
 * The bytes of a file for who has the bot's token or the page open. Everybody else gets a page to sign in, with
 * status 200, as Slack does.
 */
export function privateFile(core: Core, request: IncomingMessage, isPageOpen: boolean): Answer {
  const id = /-(F[A-Z0-9]+)\//.exec(request.url ?? '')?.[1] ?? '';
  const { authorization = '' } = request.headers;
  if (!authorization.startsWith('Bearer xoxb-') && !isPageOpen) {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return { status: 200, headers, body: '<!doctype html><title>Sign in</title>' };
  }
  const file = core.files.get(id);
  if (file?.state !== 'ready') return { status: 404, body: 'no such file' };
  const isImage = isShownAsImage(file.filetype);
  return {
    status: 200,
    headers: {
      'content-type': file.mimetype,
      // An uploaded document must not run as a page of ours.
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `${isImage ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'cache-control': 'private, max-age=3600',
    },
    body: file.bytes,
  };
}
