import type { DuckDBType } from '@duckdb/node-api';
import type { RowTemplate } from '@sluice/encoders';
import { sqlString } from '../sql-text.ts';
import type { CellEdges } from './cell-arguments.ts';
import { cellArguments } from './cells.ts';
import { xlsxCellArguments } from './xlsx-cells.ts';

/** The alias that the column at this index has around the caller's query: names may be doubled or odd, positions are not. */
export const columnAlias = (index: number): string => `c${index}`;

/**
 * A row template as one SQL expression over the aliased columns: the engine itself writes each row as one VARCHAR.
 * `concat` and not `||`: 1.8 times faster (measured), and NULL adds nothing instead of making the row NULL.
 */
export function rowExpression(template: RowTemplate, types: readonly DuckDBType[], timeZone: string): string {
  const row = new RowArguments(template.separator);
  const argumentsOf = template.style.notation === 'xlsx' ? xlsxCellArguments : cellArguments;
  for (const part of template.parts) {
    if ('literal' in part) {
      row.addLiteral(part.literal);
      continue;
    }
    const type = types[part.cell];
    if (type === undefined) throw new Error(`The template names column ${part.cell}, and there are ${types.length}`);
    const { parts, edges } = argumentsOf(type, columnAlias(part.cell), { style: template.style, timeZone });
    if (edges !== undefined) row.addOpening(edges);
    row.addText(parts);
    if (edges !== undefined) row.addClosing(edges);
  }
  return `concat(${row.finish().join(', ')})`;
}

/**
 * Collects the arguments of a row. A literal next to a cell is written together with that cell's quote or its `null`, since each
 * argument costs every row a copy of its own, and a CASE that goes one way for a whole vector costs nothing (measured).
 */
class RowArguments {
  readonly #finished: string[] = [];
  /** The cell whose end the literal may still be joined to. */
  #closing: CellEdges | undefined;
  #literal: string;

  constructor(literal: string) {
    this.#literal = literal;
  }

  addLiteral(literal: string): void {
    this.#literal += literal;
  }

  addOpening(edges: CellEdges): void {
    if (edges.open === '') return; // `none` is written at the end then
    if (this.#closing !== undefined) this.#flush();
    this.#finished.push(byNull(edges.value, this.#literal + edges.none, this.#literal + edges.open));
    this.#literal = '';
  }

  addText(parts: readonly string[]): void {
    this.#flush();
    this.#finished.push(...parts);
  }

  addClosing(edges: CellEdges): void {
    this.#closing = edges;
  }

  finish(): readonly string[] {
    this.#flush();
    return this.#finished;
  }

  #flush(): void {
    const [closing, literal] = [this.#closing, this.#literal];
    if (closing !== undefined) {
      const none = closing.open === '' ? closing.none : '';
      this.#finished.push(byNull(closing.value, none + literal, closing.close + literal));
    } else if (literal !== '') this.#finished.push(sqlString(literal));
    this.#closing = undefined;
    this.#literal = '';
  }
}

const byNull = (value: string, none: string, some: string): string =>
  `CASE WHEN ${value} IS NULL THEN ${sqlString(none)} ELSE ${sqlString(some)} END`;
