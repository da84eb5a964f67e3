/** Frames that only do what others asked for: allocators, containers, columns, pipelines, pools, what has no name. */
const SERVANTS: readonly RegExp[] = [
  /^(?:0x|je_|prof_|operator new|malloc|calloc|realloc|aligned_alloc|posix_memalign|do_rallocx|imalloc|ialloc|arena_|tcache_|large_)/,
  /^(?:std::|void std::|boost::|absl::|Poco::|start_thread|__clone|clone3|_Z)/,
  /^(?:Allocator|allocNoTrack)|DB::(?:PODArray|Memory::|Arena|Allocator)/,
  /DB::(?:IColumn|Column[A-Z]|Chunk|Block|Field)|^COW(?:Helper)?::|FilterDescription/,
  /ThreadPoolImpl|ThreadFromGlobalPool|PipelineExecutor|ExecutableFunction|IExecutableFunction|FunctionBaseAdaptor/,
  /(?:^|!)sub_[0-9a-f]+$|\+0x[0-9a-f]+$|^\?\?$/,
];

/**
 * The one frame of a stack (root first) that says most about who made the objects: the innermost that does more than
 * serve others, else the innermost.
 */
export function holderName(stack: readonly string[]): string {
  for (let depth = stack.length - 1; depth >= 0; depth -= 1) {
    const frame = stack[depth] as string;
    const name = bareName(frame);
    if (!SERVANTS.some((pattern) => pattern.test(name))) return frame;
  }
  return stack.at(-1) ?? '';
}

/** A function's name without what stands in its templates and arguments: those name others. */
export function bareName(frame: string): string {
  let name = frame.replaceAll('(anonymous namespace)::', '');
  for (let before = ''; name !== before; ) {
    before = name;
    name = name.replace(/<[^<>]*>/g, '');
  }
  const argumentsAt = name.indexOf(
    '(',
    name.includes('operator()') ? name.indexOf('operator()') + 10 : 0,
  );
  return argumentsAt < 0 ? name : name.slice(0, argumentsAt);
}
