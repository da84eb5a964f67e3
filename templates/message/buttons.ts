import type { Button } from '@slack/types';
import { button, limits } from './blocks.ts';

/** What a press means; Slack hands these back, and `src/slack` listens to them. */
export const buttonIds = {
  /** Runs the command in the value as if whoever pressed had typed it there. */
  ask: 'ask',
  /** The same for an investigation that did not end well; the old message then points at the new one. */
  tryAgain: 'try-again',
  /** Opens the form that attaches the investigation in the value to a thread. */
  attach: 'attach',
  /** Stops the investigation in the value. */
  cancel: 'cancel',
} as const;

/** Offers a command. It is parsed and its rights are checked anew when it is pressed. */
export function askButton(label: string, command: string): Button {
  return button({ label, actionId: buttonIds.ask, value: command, style: 'primary' });
}

/** None when the command is longer than a button may carry. */
export function tryAgainButton(command: string): Button | undefined {
  if (command.length > limits.buttonValue) return undefined;
  return button({ label: 'Try again', actionId: buttonIds.tryAgain, value: command });
}

/** The same where no investigation was opened: nothing points at a new one, and it may be pressed again and again. */
export function askAgainButton(command: string): Button | undefined {
  if (command.length > limits.buttonValue) return undefined;
  return button({ label: 'Try again', actionId: buttonIds.ask, value: command });
}

export function attachButton(investigationId: string): Button {
  return button({
    label: 'Attach to a thread…',
    actionId: buttonIds.attach,
    value: investigationId,
  });
}

export function cancelButton(investigationId: string): Button {
  return button({ label: 'Cancel', actionId: buttonIds.cancel, value: investigationId });
}
