import type { Profile } from '../profile/profile.ts';
import { ProfileReader } from './profile-reader.ts';
import type { ReadOptions } from './read-options.ts';

/**
 * Reads a profile that is in memory, of any known kind, which is told from its bytes alone. Throws `not-a-profile`
 * for what is something else, by name, and `broken-profile` for what has nothing sound in it; what is broken in part
 * is counted and shown in the profile.
 */
export function readProfile(bytes: Uint8Array, options: ReadOptions = {}): Profile {
  const reader = new ProfileReader({ sizeBytes: bytes.length, ...options });
  reader.feed(bytes);
  return reader.finish();
}
