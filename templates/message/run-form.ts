import type { InputBlock, ModalView } from '@slack/types';
import type { RunPolicy } from '../../src/ports.ts';
import { escapeMrkdwn, section } from './blocks.ts';
import { formIds, option, plain } from './form.ts';
import { capsLine } from './run.ts';

export interface RunForm {
  /** Servers on which the config lets people run statements. */
  readonly targets: readonly (Pick<RunPolicy, 'user' | 'caps' | 'needsApproval'> & {
    readonly name: string;
  })[];
  readonly target?: string;
  /** Comes back when the form is sent: where to answer. */
  readonly privateMetadata: string;
}

const SQL_LENGTH = 3000;
const TARGETS = 100;

/** `/memprof run` alone: the statement, its caps, and what exactly will be sent. */
export function runForm({ targets, target, privateMetadata }: RunForm): ModalView {
  const names = targets.slice(0, TARGETS).map(({ name }) => option(name, name));
  const chosen = names.find(({ value }) => value === target) ?? names[0];
  return {
    type: 'modal',
    callback_id: formIds.run,
    private_metadata: privateMetadata,
    title: plain('Run a SELECT'),
    submit: plain('Run'),
    close: plain('Close'),
    blocks: [
      {
        type: 'input',
        block_id: formIds.target,
        label: plain('On which server?'),
        element: {
          type: 'static_select',
          action_id: formIds.target,
          options: names,
          ...(chosen === undefined ? {} : { initial_option: chosen }),
        },
      },
      {
        type: 'input',
        block_id: formIds.sql,
        label: plain('SELECT'),
        hint: plain(
          'One statement without FORMAT and SETTINGS. Longer ones: memprof run --sql-file',
        ),
        element: {
          type: 'plain_text_input',
          action_id: formIds.sql,
          multiline: true,
          max_length: SQL_LENGTH,
        },
      },
      cap(formIds.time, 'Stop it after', '30s'),
      cap(formIds.memory, 'Stop it at this much memory', '4GiB'),
      section(`*What exactly runs*\n${targets.slice(0, TARGETS).map(whatRunsOn).join('\n')}`),
    ],
  };
}

function cap(id: string, label: string, example: string): InputBlock {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: 20,
      placeholder: plain(example),
    },
  };
}

function whatRunsOn({ name, user, caps, needsApproval }: RunForm['targets'][number]): string {
  const approval = needsApproval ? ' Somebody else approves it first.' : '';
  return escapeMrkdwn(
    `On ${name}: the statement once, followed by FORMAT Null, as ${user} with readonly = 2 and the memory profiler on; its rows are thrown away. ${capsLine(caps)}${approval}`,
  );
}
