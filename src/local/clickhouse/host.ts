/**
 * The process in which the engine lives: `node host.js <library> <arguments of clickhouse-local …>`. Calls
 * query_stable_v2 of libchdb, which is the whole of clickhouse-local, in a thread of its own; it returns when the
 * last of its query files (a pipe that the parent holds open) has come to its end.
 */
import { Socket } from 'node:net';
import { DataType, load, open } from 'ffi-rs';

/** A pipe to the parent that closes when the parent ends, in whatever way. */
const PARENT_FD = 3;
const GRACE_MS = 5000;

// The engine ends by itself when the parent is gone, but not if that happens before it has opened its own pipe.
const parent = new Socket({ fd: PARENT_FD });
parent.once('close', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS));
parent.on('error', () => {});
parent.resume();

const [library, ...args] = process.argv.slice(2);
if (library === undefined) throw new Error('host.js needs the path of the library');
const argv = ['clickhouse-local', ...args];
open({ library: 'engine', path: library });
await load({
  library: 'engine',
  funcName: 'query_stable_v2',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [argv.length, argv],
  runInNewThread: true,
});
process.exit(0);
