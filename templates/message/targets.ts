import { inlineCode, type Message, section } from './blocks.ts';

export interface TargetLine {
  readonly name: string;
  readonly kind: 'clickhouse' | 'keeper';
  readonly group?: string;
}

/** The servers by name. Their addresses are not for the chat. */
export function targetsMessage(targets: readonly TargetLine[]): Message {
  if (targets.length === 0) {
    return {
      text: 'No servers are configured.',
      blocks: [
        section(
          'No servers are configured. Whoever runs memprof adds them under `targets` in the config file.',
        ),
      ],
    };
  }
  const lines = targets.map(({ name, kind, group }) => {
    const what = kind === 'keeper' ? 'Keeper' : 'ClickHouse';
    return `${inlineCode(name)}  ${what}${group === undefined ? '' : `, group ${inlineCode(group)}`}`;
  });
  return {
    text: `Servers: ${targets.map(({ name }) => name).join(', ')}.`,
    blocks: [section(lines.join('\n'))],
  };
}
