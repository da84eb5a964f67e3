/**
 * The process in which the engine lives: `node host.js <library> <arguments of clickhouse-local …>`. Calls
 * query_stable_v2 of libchdb, which is the whole of clickhouse-local, in a thread of its own; it returns when the
 * last of its query files (a pipe that the parent holds open) has come to its end.
 */
import { DataType, load, open } from 'ffi-rs';

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
