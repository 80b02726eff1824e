import type { Format } from './format.ts';
import { jsonObjectParts } from './json-row.ts';
import { type CellStyle, mergeLiterals } from './row-template.ts';

/** One JSON object per row, each on its own line. The format cannot express a failure, so the transfer of a failed result is cut. */
export function createNdjsonFormat(options: { readonly bigNumbers: CellStyle['bigNumbers'] }): Format {
  return {
    head: () => '',
    row: (columns) => ({
      separator: '',
      parts: mergeLiterals([...jsonObjectParts(columns), { literal: '\n' }]),
      style: { notation: 'json', bigNumbers: options.bigNumbers, formulas: 'keep' },
    }),
    complete: () => '',
    failed: () => undefined,
  };
}
