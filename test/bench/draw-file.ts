/** `node dist/test/bench/draw-file.js IN OUT`: one profile to one PNG, in a process of its own. */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { svgToPng } from '../../src/png.ts';
import { ProfileReader } from '../../src/readers/profile-reader.ts';
import { pictureSvg } from '../../templates/svg/picture.ts';

const [input, output] = process.argv.slice(2) as [string, string];
const reader = new ProfileReader();
for await (const chunk of createReadStream(input, { highWaterMark: 1 << 20 })) {
  reader.feed(chunk as Buffer);
}
const text = { title: 'Bench', subtitle: input, footer: [] };
const svg = pictureSvg({ kind: 'flame', profile: reader.finish(), measure: 'bytes', text });
await writeFile(output, svgToPng(svg).png);
