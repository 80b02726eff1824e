/** A cell as arguments of one `concat`, which leaves out what is NULL. */
export interface CellArguments {
  /** The text; where the cell has edges, all of them are NULL where the value is. */
  readonly parts: readonly string[];
  /** What stands around the text, and in its place; undefined: nothing does. */
  readonly edges: CellEdges | undefined;
}

export interface CellEdges {
  /** The SQL of the value, which decides between the two. */
  readonly value: string;
  /** Before and behind the text of a value. */
  readonly open: string;
  readonly close: string;
  /** Instead of all of it, for NULL. */
  readonly none: string;
}

export const unconditional = (parts: readonly string[]): CellArguments => ({ parts, edges: undefined });
