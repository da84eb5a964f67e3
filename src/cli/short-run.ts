/**
 * Tells V8 before anything else runs that this process will not live long: it optimises a function after so many
 * bytes of bytecode run in it, and with its usual 66 KiB it spends a third of drawing a small profile on code that is
 * hardly used again. Large profiles pass any budget at once.
 */
import { setFlagsFromString } from 'node:v8';

/** Of V8, which complains of a flag that it does not know: the last major version where this one was seen. */
const LAST_KNOWN_MAJOR = 14;

if (Number.parseInt(process.versions.v8, 10) <= LAST_KNOWN_MAJOR) {
  setFlagsFromString('--interrupt-budget=500000');
}
