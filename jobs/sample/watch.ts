import { toFailure } from '../../src/failure.ts';
import type { Chat, DeliveryRecord, Log, SamplingLease } from '../../src/ports.ts';
import { isInForce } from '../../src/sampling-lease.ts';
import type { Count, EpochMicros } from '../../src/units.ts';
import type { Message } from '../../templates/message/blocks.ts';
import { endedMessage, notEndedMessage } from '../../templates/message/sample.ts';
import { type Settled, type SettlePorts, settle } from './settle.ts';

export interface WatchPorts extends SettlePorts {
  readonly chat: Chat;
  readonly deliveries: DeliveryRecord;
  readonly log: Log;
}

export interface SamplingWatch {
  /** Looks at every target that may be sampled, whether there are leases or not: at the start, and now and then. */
  sweep(signal: AbortSignal): Promise<void>;
  /** Ends what is overdue. */
  tick(signal: AbortSignal): Promise<void>;
}

/** Redis may still be starting when we do; after this, leases that nobody can read are taken for lost. */
const PATIENCE_MICROS = 60e6;

/**
 * Sees to it that sampling ends: whatever died in between, whoever looks next ends it. Without Redis too, by the leases
 * that it saw there before.
 */
export function createSamplingWatch(given: WatchPorts, workerId: string): SamplingWatch {
  const { clock } = given;
  const sinceMicros = clock.nowMicros();
  let remembered: readonly SamplingLease[] | undefined;
  let claims = 0;
  let last: Promise<void> = Promise.resolve();

  async function list(): Promise<readonly SamplingLease[]> {
    try {
      remembered = await given.sampling.leases.list();
      return remembered;
    } catch (thrown) {
      const isPatient = clock.nowMicros() < sinceMicros + PATIENCE_MICROS;
      if (remembered === undefined && isPatient) throw thrown;
      given.log.warn({ err: thrown }, 'leases not read, going by what was read before');
      return remembered ?? [];
    }
  }

  const leases = { ...given.sampling.leases, list };
  const ports: WatchPorts = { ...given, sampling: { ...given.sampling, leases } };

  /** One look after the other, so that what one is saying is not said by the next. */
  function inTurn(look: () => Promise<void>): Promise<void> {
    const turn = last.then(look);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function tick(signal: AbortSignal): Promise<void> {
    const before = remembered ?? [];
    const known = await list();
    const over = [
      ...known.filter((lease) => !isInForce(lease, clock.nowMicros())),
      // Gone without an end that we saw: another worker ended it, or Redis lost it.
      ...before.filter(({ id }) => !known.some((lease) => lease.id === id)),
    ];
    for (const target of new Set(over.map((lease) => lease.target))) {
      const settled = await settleOrUndefined(target, ports, signal);
      const ended = over.filter((lease) => lease.target === target);
      await endAll(ended, settled, { ports, claim: nextClaim });
    }
  }

  /** Tells every attempt to say something from all others. */
  function nextClaim(): Claim {
    claims += 1;
    return { workerId, atMicros: clock.nowMicros(), attempt: claims };
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    await tick(signal);
    for (const target of ports.sampling.targets) await settleOrUndefined(target, ports, signal);
  }

  return {
    tick: (signal) => inTurn(() => tick(signal)),
    sweep: (signal) => inTurn(() => sweep(signal)),
  };
}

async function settleOrUndefined(
  target: string,
  ports: WatchPorts,
  signal: AbortSignal,
): Promise<Settled | undefined> {
  try {
    return await settle(target, ports, { signal });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    ports.log.error({ err: toFailure(thrown), target }, 'sampling could not be brought in line');
    return undefined;
  }
}

interface Claim {
  readonly workerId: string;
  readonly atMicros: EpochMicros;
  readonly attempt: Count;
}

interface Speaker {
  readonly ports: WatchPorts;
  readonly claim: () => Claim;
}

/** Says of each lease how it ended, and forgets it; when the target could not be asked, says that, and keeps it. */
async function endAll(
  leases: readonly SamplingLease[],
  settled: Settled | undefined,
  speaker: Speaker,
): Promise<void> {
  for (const lease of leases) {
    try {
      if (settled === undefined) await sayTrouble(lease, speaker);
      else await end(lease, settled, speaker);
    } catch (thrown) {
      // The lease stays until somebody could say it.
      speaker.ports.log.warn({ err: thrown, leaseId: lease.id }, 'end of a lease not said yet');
    }
  }
}

async function end(lease: SamplingLease, settled: Settled, speaker: Speaker): Promise<void> {
  const { leases } = speaker.ports.sampling;
  // Never seen to be on: whoever asked was told why.
  if (!lease.isConfirmed) return leases.remove(lease.id);
  const message = endedMessage(lease, settled);
  if (await say(lease, 'sampling-ended', message, speaker)) await leases.remove(lease.id);
}

async function sayTrouble(lease: SamplingLease, speaker: Speaker): Promise<void> {
  await say(lease, 'sampling-trouble', notEndedMessage(lease), speaker);
}

/** After this, a worker that meant to say it is taken for dead. */
const STALE_MICROS = 60e6;
/** Slack may be away for an hour; after so many attempts there is nobody to tell. */
const MAX_TURNS = 200;

/** Says something in the lease's thread once, whoever else means to; resolves to whether it was said. */
async function say(
  lease: SamplingLease,
  step: string,
  { text, blocks }: Message,
  speaker: Speaker,
): Promise<boolean> {
  const { chat, log } = speaker.ports;
  const turn = await takeTurn(lease, step, speaker);
  if (turn === undefined) return false;
  if (turn === 'given-up') return true;
  const deliveryKey = `${step}:${lease.id}`;
  try {
    const { place } = lease;
    // Whoever had the turn before may have said it before it died.
    const isSaid =
      turn > 1 &&
      (await chat.find({ ...place, oldestTs: place.threadTs }, deliveryKey)) !== undefined;
    if (!isSaid) await chat.post({ ...place, text, blocks, deliveryKey });
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.retry) throw failure;
    // The channel is gone, or the bot is not in it any more: there is nobody to tell.
    log.warn({ err: failure, leaseId: lease.id }, 'end of a lease could not be said');
  }
  return true;
}

/** From 1: which attempt to say it is ours alone; undefined while another worker is at it. */
async function takeTurn(
  lease: SamplingLease,
  step: string,
  { ports, claim }: Speaker,
): Promise<Count | 'given-up' | undefined> {
  const { workerId, atMicros, attempt } = claim();
  const own = `${workerId} ${atMicros} ${attempt}`;
  for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
    const standing = await ports.deliveries.claim(lease.id, `${step}:${turn}`, own);
    if (standing === own) return turn;
    const [worker, at] = standing.split(' ');
    if (worker !== workerId && atMicros - Number(at) < STALE_MICROS) return undefined;
  }
  ports.log.error(
    { leaseId: lease.id },
    'end of a lease was not said: slack was away for too long',
  );
  return 'given-up';
}
