/** `node dist/test/bench/read-file.js FILE`: reads a profile, prints its total, and nothing else. */
import { stdin } from 'node:process';
import { readInput } from '../../src/cli/profile-input.ts';

const { totalBytes } = await readInput(process.argv[2] as string, {}, stdin);
console.log(totalBytes);
