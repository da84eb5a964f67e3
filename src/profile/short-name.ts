import { functionPath } from './function-path.ts';

/**
 * A frame's name as people read it: "DB::" at its beginning, argument lists, the anonymous namespace, return types
 * and ABI tags dropped, template bodies shown as <…>. For showing only; names are compared as they came.
 */
export function shortenName(name: string): string {
  return functionPath(name, '<…>').replace(/^DB::(?=.)/, '');
}
