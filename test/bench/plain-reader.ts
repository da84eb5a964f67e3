/** `node dist/test/bench/plain-reader.js FILE`: collapsed stacks into a tree, as one would write it in an hour. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

interface Node {
  self: number;
  readonly children: Map<string, Node>;
}

const root: Node = { self: 0, children: new Map() };
let total = 0;
const lines = createInterface({ input: createReadStream(process.argv[2] as string) });
for await (const line of lines) {
  const blank = line.lastIndexOf(' ');
  const value = Number(line.slice(blank + 1));
  let node = root;
  for (const name of line.slice(0, blank).split(';')) {
    const child = node.children.get(name) ?? { self: 0, children: new Map() };
    node.children.set(name, child);
    node = child;
  }
  node.self += value;
  total += value;
}
console.log(total);
