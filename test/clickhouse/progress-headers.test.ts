import { describe, expect, it } from 'vitest';
import { createProgressReader, readProgress } from '../../src/clickhouse/progress-headers.ts';
import type { RunProgress } from '../../src/ports.ts';

const header = (rows: number) =>
  `X-ClickHouse-Progress: {"read_rows":"${rows}","read_bytes":"${rows * 8}","total_rows_to_read":"1000","memory_usage":"77"}\r\n`;
const answer = `HTTP/1.1 200 OK\r\nDate: now\r\n${header(100)}${header(900)}\r\n${header(1000)}`;

function seen(chunks: readonly string[]): readonly number[] {
  const rows: number[] = [];
  const read = createProgressReader((progress: RunProgress) => rows.push(progress.readRows));
  for (const chunk of chunks) read(Buffer.from(chunk));
  return rows;
}

describe('progress in the head of an answer', () => {
  it('is seen as soon as its line is there, wherever the head is cut', () => {
    for (let cut = 0; cut <= answer.length; cut += 1) {
      expect(seen([answer.slice(0, cut), answer.slice(cut)])).toEqual([100, 900]);
    }
    expect(seen([...answer])).toEqual([100, 900]);
  });

  it('is not looked for in the body', () => {
    expect(seen(['HTTP/1.1 200 OK\r\n\r\n', header(5)])).toEqual([]);
  });

  it('is told in numbers, and is nothing where it makes no sense', () => {
    expect(readProgress('{"read_rows":"5","memory_usage":"9"}')).toEqual({
      readRows: 5,
      readBytes: 0,
      totalRows: 0,
      memoryBytes: 9,
    });
    expect(readProgress('{"read')).toBeUndefined();
    expect(readProgress(undefined)).toBeUndefined();
  });
});
