import type { Command } from 'commander';
import type { DiffFlags } from './diff.ts';
import type { FileIo } from './file-io.ts';
import { graphSuffixes, outputSuffixes } from './profile-output.ts';
import type { RenderFlags } from './render.ts';
import type { TopFlags } from './top.ts';

const FILE = 'a profile: collapsed stacks, heap dump or pprof; - for standard input';

/** The verbs that need no server: they read profiles from files. What each needs is loaded when it is asked for. */
const FILE_VERBS: ReadonlySet<string | undefined> = new Set(['render', 'top', 'diff']);

export function isFileVerb(word: string | undefined): boolean {
  return FILE_VERBS.has(word);
}

/** Adds the file verbs to the shell. */
export function addFileCommands(program: Command, io: FileIo): void {
  program.commandsGroup('Files (no server needed):');
  addRender(program, io);
  addTop(program, io);
  addDiff(program, io);
}

function addRender(program: Command, io: FileIo): void {
  const command = program
    .command('render')
    .description('Draw a profile, or write it for another tool')
    .argument('<file>', FILE)
    .requiredOption('-o, --out <file>', `what to write: ${outputSuffixes}`)
    .option('--base <file>', 'a profile to take away, stack by stack')
    .option('--graph', `a call graph in place of the flame graph: ${graphSuffixes}`)
    .addHelpText('after', '\nExample:\n  memprof render server.heap -o heap.png --light')
    .action(async (path: string, flags: RenderFlags) => {
      const { render } = await import('./render.ts');
      await render(path, flags, io);
    });
  addPictureOptions(addInputOptions(command));
}

function addTop(program: Command, io: FileIo): void {
  const command = program
    .command('top')
    .description('List the functions that hold the most, and what each subsystem holds')
    .argument('<file>', FILE)
    .option('--cum', 'sort by what passes through a function, not by what ends in it')
    .option('--pivot <regexp>', 'callers and callees of the functions that match')
    .option('--raw', 'allocator and thread functions too')
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', '\nExample:\n  memprof top server.heap --cum --ignore MergeTree')
    .action(async (path: string, flags: TopFlags) => {
      const { top } = await import('./top.ts');
      await top(path, flags, io);
    });
  addRowOptions(addInputOptions(command));
}

function addDiff(program: Command, io: FileIo): void {
  const command = program
    .command('diff')
    .description('List the functions that grew, shrank, came and went between two profiles')
    .argument('<before>', FILE)
    .argument('<after>', FILE)
    .option('-o, --out <file>', `write the difference too: ${outputSuffixes}`)
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', '\nExample:\n  memprof diff monday.heap tuesday.heap -o growth.png')
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { diff } = await import('./diff.ts');
      await diff([before, after], flags, io);
    });
  addPictureOptions(addRowOptions(addInputOptions(command)));
}

function addInputOptions(command: Command): Command {
  return command
    .option('--count', 'objects in place of bytes')
    .option(
      '--rules <file>',
      'your own subsystems: a list as under subsystems in the config, or a config',
    )
    .option('--sampled', 'the numbers of a heap dump as they stand, not scaled up')
    .option('--binary <file>', 'the program that wrote a heap dump: names its functions')
    .option('--build-id <hex>', 'what SELECT buildId() gave: no names from another --binary')
    .option('--accumulated', 'of a heap dump with prof_accum: all that was ever allocated');
}

function addRowOptions(command: Command): Command {
  return command
    .option('--focus <regexp>', 'only stacks with a function that matches')
    .option('--ignore <regexp>', 'no stack with a function that matches')
    .option('--limit <rows>', 'how many functions, 0 for all');
}

function addPictureOptions(command: Command): Command {
  return command
    .option('--width <pixels>', 'width of the picture (1600)')
    .option('--light', 'dark text on light ground')
    .option('--flame', 'root at the bottom')
    .option('--raw', 'every function as it came: nothing left out, folded or grouped');
}
