/** Fields of pprof's Profile message, by number. Source: google/pprof, proto/profile.proto. */
const LAST_FIELD = 15;
const SAMPLE_TYPE = 1;
const SAMPLE = 2;
/** A type of samples is two numbers. */
const LONGEST_SAMPLE_TYPE = 24;
const VARINT = 0;
const DELIMITED = 2;
/** So many fields tell. */
const LOOKED_AT = 8;

/**
 * Whether bytes can be the beginning of a pprof profile: protobuf fields of its Profile message, one after the
 * other. Text that begins with a newline, the first tag, fails at the fields that follow.
 */
export function looksLikePprof(bytes: Uint8Array): boolean {
  let at = 0;
  let fields = 0;
  while (at < bytes.length && fields < LOOKED_AT) {
    const tag = bytes[at] as number;
    const field = tag >> 3;
    const wire = tag & 7;
    if (field < SAMPLE_TYPE || field > LAST_FIELD || (wire !== VARINT && wire !== DELIMITED)) {
      return false;
    }
    const { value, end } = readVarint(bytes, at + 1);
    if (end < 0) return false;
    at = wire === DELIMITED ? end + value : end;
    fields += 1;
    if (fields === 1 && !isFirst(field, wire, value)) return false;
  }
  // A sample of a very deep stack is longer than all that is looked at.
  return fields > 2 || (fields === 2 && at > bytes.length);
}

/** Whether a profile can begin with this field: with a type of samples, or with a sample where no type is told. */
function isFirst(field: number, wire: number, length: number): boolean {
  if (wire !== DELIMITED) return false;
  return field === SAMPLE || (field === SAMPLE_TYPE && length <= LONGEST_SAMPLE_TYPE);
}

function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < start + 10 && at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return { value, end: -1 };
}
