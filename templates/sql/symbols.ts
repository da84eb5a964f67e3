import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { DecimalText } from './columns.ts';

/** One name for one address; an empty name is none. */
const Row = z.object({ address: DecimalText, name: z.string() });

/**
 * Names of addresses, by the server's own symbol table. Needs the privileges for addressToSymbol and demangle, and
 * `allow_introspection_functions` as a setting.
 */
export const symbolsOfAddresses = defineQuery({
  name: 'symbols',
  sql: `
SELECT address, demangle(addressToSymbol(address)) AS name
FROM (SELECT toUInt64(arrayJoin({addresses:Array(String)})) AS address)`,
  params: z.object({ addresses: z.array(z.string().regex(/^\d+$/)) }),
  row: Row,
});

/**
 * Names of all addresses in the live heap profile: the lines between `--- symbol` and `---` of its symbolized text.
 * Needs SELECT alone; flushes a profile. Asked with `jemalloc_profile_text_output_format` = symbolized.
 */
export const symbolsOfHeapProfile = defineQuery({
  name: 'symbols-of-heap-profile',
  sql: `
SELECT
    reinterpretAsUInt64(reverse(unhex(extract(line, '^0x([0-9a-f]{16}) ')))) AS address,
    substring(line, 20) AS name
FROM system.jemalloc_profile_text
WHERE match(line, '^0x[0-9a-f]{16} ')`,
  params: z.object({}),
  row: Row,
});
