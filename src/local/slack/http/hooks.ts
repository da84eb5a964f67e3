import { createArguments, readArguments } from '../api/arguments.ts';
import { type Answer, withFault } from '../api/serve.ts';
import { SlackError } from '../api/slack-error.ts';
import type { CallLog } from '../calls.ts';
import type { Core } from '../core.ts';
import { takeAnswer } from '../people/answers.ts';

/** An answer of the app through a response_url: https://docs.slack.dev/interactivity/handling-user-interaction */
export async function takeHook(
  core: Core,
  calls: CallLog,
  url: URL,
  contentType: string,
  body: Uint8Array,
): Promise<Answer> {
  const args = createArguments(await readArguments(url, contentType, body));
  const call = calls.begin('response_url', args.raw);
  const answer = await withFault(core.faultSource.take('response_url'), call, async () => {
    const place = core.responseUrls.use(url.pathname);
    if ('error' in place) {
      call.outcome = place.error;
      return { status: 404, body: { ok: false, error: place.error } };
    }
    try {
      takeAnswer(core, place, args.raw);
      return { status: 200, body: 'ok' };
    } catch (thrown) {
      if (!(thrown instanceof SlackError)) throw thrown;
      call.outcome = thrown.code;
      return { status: 400, body: { ok: false, error: thrown.code, ...thrown.details } };
    }
  });
  core.changes.publish({ kind: 'call', method: 'response_url' });
  return answer;
}
