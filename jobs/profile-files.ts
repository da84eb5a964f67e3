import type { OutgoingFile } from '../src/ports.ts';
import type { Profile } from '../src/profile/profile.ts';

/** A profile as files for the thread, for whoever digs with own tools. */
export function profileFiles(
  _profile: Profile,
  _named: { readonly name: string; readonly title: string },
): readonly OutgoingFile[] {
  return [];
}
