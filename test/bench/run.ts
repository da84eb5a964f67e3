/**
 * `npm run bench [-- name …]`: the benches one after the other, each in a process of its own; all of them unless some
 * are named. Figures for the shell and for pictures can be set beside those of other tools: see `picture.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const benches = ['readers', 'picture', 'ack', 'answer', 'digest-fleet'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${benches.join(', ')}.`);
  process.exit(2);
}
for (const name of named.length > 0 ? named : benches) {
  console.log(`\n== ${name}`);
  const program = new URL(import.meta.resolve(`#dist/test/bench/${name}.js`)).pathname;
  const child = spawn(process.execPath, ['--enable-source-maps', program], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
