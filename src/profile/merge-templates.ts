import { type CallTree, hasValue } from './call-tree.ts';
import { frameName } from './frame-table.ts';
import { FrameTableBuilder } from './frame-table-builder.ts';
import { functionPath } from './function-path.ts';
import { NodeTable } from './node-table.ts';

/** One frame for all variants of a template and all overloads: names become qualified names with <…>. No byte is lost. */
export function mergeTemplates(tree: CallTree): CallTree {
  const frames = new FrameTableBuilder();
  const merged = new Int32Array(tree.frames.size);
  const nodes = new NodeTable(tree.nodeCount);
  const home = new Int32Array(tree.nodeCount);
  for (let node = 0; node < tree.nodeCount; node += 1) {
    if (node > 0) {
      const frame = tree.frame[node] as number;
      merged[frame] ||= frames.intern(functionPath(frameName(tree.frames, frame), '<…>'));
      home[node] = nodes.child(
        home[tree.parent[node] as number] as number,
        merged[frame] as number,
      );
    }
    if (hasValue(tree, node)) nodes.addValuesOf(tree, node, home[node] as number);
  }
  return nodes.build(frames.build());
}
