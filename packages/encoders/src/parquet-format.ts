import type { Format } from './format.ts';

/** A Parquet file, which the engine writes completely. Readers reject it without its last bytes, which follow the last row. */
export function createParquetFormat(): Format {
  return {
    head: () => '',
    row: (columns) => ({
      separator: '',
      parts: columns.map((_, cell) => ({ cell })),
      style: { notation: 'parquet', bigNumbers: 'number', formulas: 'keep' },
    }),
    complete: () => '',
    failed: () => undefined,
  };
}
