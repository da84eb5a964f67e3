import { createHmac } from 'node:crypto';

/** The headers by which an app knows that a request is Slack's: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function signatureHeaders(
  signingSecret: string,
  body: string,
  atSeconds = Math.floor(Date.now() / 1000),
): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', signingSecret)
    .update(`v0:${atSeconds}:${body}`)
    .digest('hex');
  return {
    'x-slack-request-timestamp': String(atSeconds),
    'x-slack-signature': `v0=${signature}`,
  };
}
