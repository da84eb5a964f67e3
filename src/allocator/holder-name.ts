import { wasteRules } from './waste-rules.ts';

/** Frames that only do what others asked for: allocators, containers, columns, thread pools, the C++ library. */
const SERVANTS =
  /^(?:0x|je_|prof_|operator new|malloc|calloc|realloc|std::|void \*?std::|boost::|Allocator<|allocNoTrack|Poco::|start_thread|__clone|clone3|\[)|DB::PODArray|DB::Memory<|DB::Arena|DB::Allocator|AllocatorWithHint|ThreadPoolImpl|ThreadFromGlobalPool|DB::Column(?:String|Vector|Map|Array|Tuple|Nullable)|COW<|sub_[0-9a-f]+$|\+0x[0-9a-f]+$/;

/**
 * The one frame of a stack (root first) that says most about who holds the memory: the innermost that a waste rule
 * knows, else the innermost that is not a servant of others, else the innermost.
 */
export function holderName(stack: readonly string[]): string {
  const inner = [...stack].reverse();
  return (
    inner.find((frame) => wasteRules.some(({ pattern }) => pattern.test(frame))) ??
    inner.find((frame) => !SERVANTS.test(frame)) ??
    inner[0] ??
    ''
  );
}
