import type { Investigation } from '../src/investigation.ts';
import { escapeMrkdwn, type Message, section } from '../templates/message/blocks.ts';
import { cancelledMessage } from '../templates/message/cancelled.ts';
import { updateAnyhow } from './delivery.ts';
import { stepNames } from './delivery-steps.ts';
import { defineErrand, investigationOf, nameOf, readInvestigationId } from './errand.ts';
import type { Desk, Job } from './job.ts';
import { aboutOf, jobIdOf, requestOf } from './request.ts';

export const cancel: Job = defineErrand({
  name: 'cancel',
  summary: 'Stop an investigation',
  usage: 'cancel <investigation>',
  example: 'cancel k7f2m9qd',
  read: (command) => ({ id: readInvestigationId(command, cancel) }),
  async run({ id }: { readonly id: string }, desk): Promise<Message> {
    const investigation = await investigationOf(desk, id);
    const { state, finding, target, ts, channel } = investigation;
    if (state === 'answered' || state === 'failed' || state === 'cancelled') {
      return say(investigation, `has ended already: ${escapeMrkdwn(finding ?? state)}`);
    }
    if (investigation.user !== desk.user) desk.requireRight('cancel', target, channel);
    // Noted first: whichever worker has it, or takes it up, ends it.
    await desk.investigations.note(investigation.id, { cancelledBy: desk.user });
    if (ts === undefined) return say(investigation, 'will be stopped.');
    if (await desk.queue.withdraw(jobIdOf({ channel, ts }))) {
      await endUnbegun(desk, investigation, ts);
      return say(investigation, 'is cancelled; no worker had begun.');
    }
    await desk.queue.interrupt(jobIdOf({ channel, ts }));
    return say(investigation, 'is being stopped; its message will say when.');
  },
});

/** No worker will ever see it, so its thread gets its last word here. */
async function endUnbegun(desk: Desk, investigation: Investigation, ts: string): Promise<void> {
  const { id, command, user, channel } = investigation;
  const about = aboutOf({ command, user, investigationId: id });
  const message = cancelledMessage(about, { by: `<@${desk.user}>` });
  try {
    await updateAnyhow(desk.chat, { channel, ts }, message);
  } catch (thrown) {
    // A worker can wait for Slack to come back; it will see that it was cancelled.
    await desk.queue.enqueue(jobIdOf({ channel, ts }), requestOf(investigation, ts));
    throw thrown;
  }
  await desk.investigations.note(id, { state: 'cancelled', finding: message.text });
  await desk.deliveries.note(id, stepNames.end, JSON.stringify('cancelled'));
}

function say(investigation: Investigation, mrkdwn: string): Message {
  return {
    text: `Investigation ${investigation.id} ${mrkdwn}`,
    blocks: [section(`Investigation ${nameOf(investigation)} ${mrkdwn}`)],
  };
}
