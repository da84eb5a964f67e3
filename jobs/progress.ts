import type { Milliseconds } from '../src/units.ts';
import type { Stages } from '../templates/message/started.ts';

export interface Progress {
  /** A stage begins, the one before has passed; the same stage again only has another detail. */
  say(stage: string, detail?: string): void;
  /** No edit is sent afterwards, and none is on its way: the answer cannot be overwritten by a late one. */
  stop(): Promise<void>;
}

export interface ProgressOptions {
  /** Shows the stages; failing is of no matter. */
  readonly edit: (stages: Stages) => Promise<void>;
  /** Whether an edit may be sent now; when not, the stage waits for the next turn. */
  readonly mayEdit: () => Promise<boolean>;
  readonly remark?: string;
  readonly firstEditMs?: Milliseconds;
  readonly editEveryMs?: Milliseconds;
}

/** Soon enough to be seen, late enough that an answer within the blink of an eye needs no edit before it. */
const FIRST_EDIT_MS = 300;
/** Slack allows about 50 edits a minute in a workspace. */
const EDIT_EVERY_MS = 3000;

/** Stages as edits of the root message, few and coalesced: stages that pass between two edits are shown as passed. */
export function createProgress(options: ProgressOptions): Progress {
  const passed: string[] = [];
  let current: { readonly stage: string; readonly detail?: string | undefined } | undefined;
  let isShown = true;
  let isStopped = false;
  let onItsWay: Promise<void> = Promise.resolve();
  /** Runs from a stage to its edit, and from an edit until the next one is allowed. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  function waitForTurn(delayMs: Milliseconds): void {
    timer = setTimeout(() => {
      onItsWay = takeTurn();
    }, delayMs);
  }

  async function takeTurn(): Promise<void> {
    const hasNews = !isShown;
    if (hasNews && (await options.mayEdit().catch(() => false))) await show();
    timer = undefined;
    // A turn without news ends the waiting: the next stage may be shown at once.
    if (hasNews && !isStopped) waitForTurn(options.editEveryMs ?? EDIT_EVERY_MS);
  }

  async function show(): Promise<void> {
    if (isStopped || current === undefined) return;
    isShown = true;
    const remark = options.remark === undefined ? {} : { remark: options.remark };
    const { stage, detail } = current;
    const words = detail === undefined ? stage : `${stage}: ${detail}`;
    await options.edit({ passed: [...passed], current: words, ...remark }).catch(() => undefined);
  }

  return {
    say(stage, detail) {
      if (stage === current?.stage && detail === current.detail) return;
      const isFirst = current === undefined;
      if (current !== undefined && current.stage !== stage) passed.push(current.stage);
      current = { stage, detail };
      isShown = false;
      if (timer === undefined && !isStopped) {
        waitForTurn(isFirst ? (options.firstEditMs ?? FIRST_EDIT_MS) : 0);
      }
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await onItsWay;
    },
  };
}
