/** Frames that only do what others asked for: allocators, containers, columns, pipelines, pools, what has no name. */
const SERVANTS: readonly RegExp[] = [
  /^(?:0x|je_|prof_|operator new|malloc|calloc|realloc|aligned_alloc|posix_memalign|do_rallocx|imalloc|ialloc|arena_|tcache_|large_)/,
  /^(?:std::|void std::|boost::|absl::|Poco::|start_thread|__clone|clone3|_Z)/,
  /^(?:Allocator<|allocNoTrack|AllocatorWithHint)|DB::(?:PODArray|Memory<|Arena|Allocator)/,
  /DB::(?:IColumn|Column[A-Z]|Chunk|Block|Field)|COW<|FilterDescription/,
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
    if (!SERVANTS.some((pattern) => pattern.test(frame))) return frame;
  }
  return stack.at(-1) ?? '';
}
