import type { FlameRequest } from '../picture-request.ts';
import { dropNegatives } from '../profile/drop-negatives.ts';
import type { Measured } from '../profile/measured.ts';
import { subtractBase } from '../profile/subtract-base.ts';
import type { FileIo } from './file-io.ts';
import { measuredBy, requireSameMeasure } from './measured.ts';
import { type PictureFlags, pictureOptions } from './picture-options.ts';
import { type InputFlags, inputName, readInputs } from './profile-input.ts';
import { outputTo } from './profile-output.ts';
import { formatAmount, profileWords, remarksOf } from './profile-words.ts';
import { type RuleFlags, readRules } from './rules-file.ts';

export interface RenderFlags extends InputFlags, PictureFlags, RuleFlags {
  readonly out: string;
  /** A profile that is taken away from the other. */
  readonly base?: string;
  /** Boxes and edges in place of a flame graph. */
  readonly graph?: boolean;
}

/** `memprof render FILE -o OUT`: a profile as a picture, or as a file for another tool. */
export async function render(path: string, flags: RenderFlags, io: FileIo): Promise<void> {
  const write = outputTo(flags.out, flags.graph ? 'graph' : 'profile');
  const options = { ...pictureOptions(flags), extraRules: await readRules(flags) };
  const measured = await readMeasured(path, flags, io);
  const picture = pictureOf(path, measured, flags.base);
  await write({ ...measured, request: { ...picture, ...options } });
  for (const remark of remarksOf(measured.profile)) io.tell(remark);
  io.tell(`${flags.out}: ${profileWords(measured)}`);
}

async function readMeasured(path: string, flags: RenderFlags, io: FileIo): Promise<Measured> {
  const paths = [path, ...(flags.base === undefined ? [] : [flags.base])];
  const inputs = await readInputs(paths, flags, io.standardInput);
  const [measured, base] = inputs.map((input) =>
    measuredBy(input.profile, flags.count, input.path),
  ) as [Measured, Measured | undefined];
  if (base === undefined) return measured;
  requireSameMeasure(measured, base);
  return { ...measured, profile: subtractBase(measured.profile, base.profile) };
}

function pictureOf(
  path: string,
  { profile, measure }: Measured,
  base: string | undefined,
): FlameRequest {
  const { tree, dropped } = dropNegatives(profile.tree, measure);
  const title = `Heap profile · ${inputName(path)}`;
  return {
    kind: 'flame',
    profile: { ...profile, tree },
    measure,
    text: {
      title: base === undefined ? title : `${title} without ${inputName(base)}`,
      subtitle: profileWords({ profile, measure }),
      footer: [
        ...(dropped === 0
          ? []
          : [`what shrank is not drawn: ${formatAmount(dropped, measure)} in all`]),
        ...profile.notes,
      ],
    },
  };
}
