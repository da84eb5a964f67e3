import type { RunProgress } from '../ports.ts';

const HEADER = /^X-ClickHouse-Progress:\s*(\{.*\})\s*$/gim;

/**
 * Reads progress out of the head of an answer while it is still coming: ClickHouse sends one such header after the
 * other, and Node shows headers only when all of them are there.
 */
export function createProgressReader(
  onProgress: (progress: RunProgress) => void,
): (chunk: Buffer) => void {
  let rest = '';
  let isOver = false;
  return (chunk) => {
    if (isOver) return;
    rest += chunk.toString('latin1');
    const end = rest.indexOf('\r\n\r\n');
    isOver = end >= 0;
    const lineEnd = rest.lastIndexOf('\r\n', isOver ? end : rest.length);
    const whole = isOver ? rest.slice(0, end + 2) : rest.slice(0, Math.max(0, lineEnd));
    for (const [, json = ''] of whole.matchAll(HEADER)) {
      const progress = readProgress(json);
      if (progress !== undefined) onProgress(progress);
    }
    rest = isOver ? '' : rest.slice(whole.length);
  };
}

/** All numbers come as text: `{"read_rows":"65409","total_rows_to_read":"1000000","memory_usage":"…"}`. */
export function readProgress(json: string | undefined): RunProgress | undefined {
  const fields = parsed(json);
  if (fields === undefined) return undefined;
  const memoryBytes = number(fields.memory_usage);
  return {
    readRows: number(fields.read_rows) ?? 0,
    readBytes: number(fields.read_bytes) ?? 0,
    totalRows: number(fields.total_rows_to_read) ?? 0,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  };
}

function parsed(json: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function number(value: unknown): number | undefined {
  const read = Number(value ?? Number.NaN);
  return Number.isFinite(read) ? read : undefined;
}
