/** Text columns with two blanks between; columns of numbers to the right. Rows may be ragged. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly ('left' | 'right')[] = [],
): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, [...cell].length);
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0, alignments[column] ?? 'left'))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, width: number, alignment: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - [...cell].length));
  return alignment === 'right' ? blanks + cell : cell + blanks;
}
