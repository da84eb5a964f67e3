import type { Bytes } from '../units.ts';

/** Of a processor: which instructions call. */
interface Machine {
  /** Whether the bytes end in a call. `distance` is how far a direct call goes, from its end. */
  readonly endsInCall: (code: Buffer, isCode: (distance: number) => boolean) => boolean;
}

/** The longest call that is looked for. */
export const LONGEST_CALL: Bytes = 7;

/** By the number that ELF files give a processor (e_machine). */
const machines: ReadonlyMap<number, Machine> = new Map([
  [62, { endsInCall: endsInX86Call }],
  [183, { endsInCall: endsInArmCall }],
]);

/**
 * Whether code ends in a call, so that what follows it can be a return address. Undefined for processors whose
 * instructions are not known here. Direct calls count only when `isCode` says so of their target.
 */
export function endsInCall(
  machine: number,
  code: Buffer,
  isCode: (distance: number) => boolean,
): boolean | undefined {
  return machines.get(machine)?.endsInCall(code, isCode);
}

const CALL = 0xe8;
const DIRECT_BYTES = 5;
const GROUP_5 = 0xff;
const CALL_IN_GROUP_5 = 2;
/** Register fields that announce more bytes. */
const WITH_SCALED_INDEX = 4;
const WITHOUT_BASE = 5;

/** x86-64: e8 with a distance, or ff /2 with a register or a place in memory. Source: Intel's manual, volume 2, CALL. */
function endsInX86Call(code: Buffer, isCode: (distance: number) => boolean): boolean {
  const { length } = code;
  if (length >= DIRECT_BYTES && code[length - DIRECT_BYTES] === CALL) {
    if (isCode(code.readInt32LE(length - DIRECT_BYTES + 1))) return true;
  }
  for (let bytes = 2; bytes <= Math.min(length, LONGEST_CALL); bytes += 1) {
    const start = length - bytes;
    if (code[start] === GROUP_5 && indirectCallBytes(code, start) === bytes) return true;
  }
  return false;
}

/** How long the indirect call is that starts here; 0 when the instruction is none. */
function indirectCallBytes(code: Buffer, start: number): Bytes {
  const fields = code[start + 1] as number;
  const [mode, register] = [fields >> 6, fields & 7];
  if (((fields >> 3) & 7) !== CALL_IN_GROUP_5) return 0;
  if (mode === 3) return 2;
  const hasIndex = register === WITH_SCALED_INDEX;
  const base = hasIndex ? (code[start + 2] ?? 0) & 7 : register;
  const distanceBytes = mode === 1 ? 1 : mode === 2 || base === WITHOUT_BASE ? 4 : 0;
  return 2 + (hasIndex ? 1 : 0) + distanceBytes;
}

/** 64-bit ARM: bl with a distance in words, or blr with a register. Source: Arm's manual, C6.2, BL and BLR. */
function endsInArmCall(code: Buffer, isCode: (distance: number) => boolean): boolean {
  if (code.length < 4) return false;
  const word = code.readUInt32LE(code.length - 4);
  if ((word & 0xffff_fc1f) >>> 0 === 0xd63f_0000) return true;
  // The distance is counted from the call itself, not from its end.
  return word >>> 26 === 0b100101 && isCode((((word << 6) >> 6) - 1) * 4);
}
