/**
 * Runs one of memprof's own processes for the demo: `node child.js <module URL>`. When the parent ends in any
 * way, our standard input closes and the process is asked to stop, so that no orphan stays.
 */
process.stdin.on('error', () => {});
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
// Only watched: the module decides how long this process lives.
if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();

const module = process.argv[2];
if (module === undefined) throw new Error('child.js needs the URL of a module to run');
await import(module);
