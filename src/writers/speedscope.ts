import { type CallTree, selfColumn } from '../profile/call-tree.ts';
import { frameName } from '../profile/frame-table.ts';
import type { Profile } from '../profile/profile.ts';
import { ByteSink } from './byte-sink.ts';
import { visitStacks } from './visit-stacks.ts';

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';

/** One view of the file; speedscope lets people choose between them. */
interface View {
  readonly name: string;
  readonly unit: 'bytes' | 'none';
  readonly values: Float64Array;
  /** Of a difference, what shrank is a view of its own: the format knows no negative weights. */
  readonly sign: 1 | -1;
}

/**
 * A profile as a file of https://www.speedscope.app: bytes, objects where they are known, and what shrank where
 * amounts are negative. Format: speedscope, src/lib/file-format-spec.ts.
 */
export function speedscopeJson(profile: Profile, title: string): Uint8Array {
  const { tree } = profile;
  const sink = new ByteSink();
  const head = { $schema: SCHEMA, name: title, activeProfileIndex: 0, exporter: 'memprof' };
  sink.text(`${JSON.stringify(head).slice(0, -1)},"shared":{"frames":[`);
  // The root's frame has no name and is in no stack; it keeps the ids as they are.
  for (let id = 0; id < tree.frames.size; id += 1) {
    sink.text(`${id === 0 ? '' : ','}${JSON.stringify({ name: frameName(tree.frames, id) })}`);
  }
  sink.text(']},"profiles":[');
  for (const [index, view] of viewsOf(profile).entries()) {
    if (index > 0) sink.text(',');
    writeView(sink, tree, view);
  }
  sink.text(']}\n');
  return sink.finish();
}

function viewsOf({ tree, unit }: Profile): readonly View[] {
  const views: Omit<View, 'sign'>[] = [
    unit === 'bytes'
      ? { name: 'bytes', unit: 'bytes', values: selfColumn(tree, 'bytes') }
      : { name: 'objects', unit: 'none', values: selfColumn(tree, 'bytes') },
  ];
  if (unit === 'bytes' && tree.selfCount !== undefined) {
    views.push({ name: 'objects', unit: 'none', values: tree.selfCount });
  }
  return views.flatMap((view): View[] =>
    view.values.some((value) => value < 0)
      ? [
          { ...view, name: `${view.name}, grown`, sign: 1 },
          { ...view, name: `${view.name}, shrunk`, sign: -1 },
        ]
      : [{ ...view, sign: 1 }],
  );
}

function writeView(sink: ByteSink, tree: CallTree, { name, unit, values, sign }: View): void {
  const weights: number[] = [];
  let total = 0;
  sink.text(`{"type":"sampled",${JSON.stringify({ name, unit }).slice(1, -1)},"samples":[`);
  visitStacks(tree, (node, path, depth) => {
    const weight = (values[node] as number) * sign;
    if (weight <= 0) return;
    sink.text(`${weights.length === 0 ? '' : ','}[${path.subarray(0, depth).join(',')}]`);
    weights.push(weight);
    total += weight;
  });
  sink.text('],"weights":[');
  for (const [index, weight] of weights.entries()) sink.text(`${index === 0 ? '' : ','}${weight}`);
  sink.text(`],"startValue":0,"endValue":${total}}`);
}
