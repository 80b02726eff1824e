import type { Column } from '@sluice/contract';
import { mergeLiterals, type RowTemplate } from './row-template.ts';

/**
 * Returns the layout of rows in a kept result: lists of values as in the pages of Trino's protocol, joined by commas. Every format can be
 * written from them. A line feed may follow a comma (`Format.isStoredForm`).
 */
export const storedRows = (columns: readonly Column[]): RowTemplate => ({
  separator: ',',
  parts: mergeLiterals([
    { literal: '[' },
    ...columns.flatMap((_, cell) => [{ literal: cell === 0 ? '' : ',' }, { cell }]),
    { literal: ']' },
  ]),
  style: { notation: 'json', bigNumbers: 'number', formulas: 'keep', valueForms: 'trino' },
});
