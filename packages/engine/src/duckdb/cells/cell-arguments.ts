/** A cell as arguments of one `concat`, which skips NULL. */
export interface CellArguments {
  /** The text. If the cell has edges, all of its parts are NULL for a NULL value. */
  readonly parts: readonly string[];
  /** Text around and instead of the value; undefined: none. */
  readonly edges: CellEdges | undefined;
}

export interface CellEdges {
  /** SQL of the value, which decides between the two. */
  readonly value: string;
  /** Strings before and after a value. */
  readonly open: string;
  readonly close: string;
  /** String for NULL, instead of all three. */
  readonly none: string;
}

export const unconditional = (parts: readonly string[]): CellArguments => ({ parts, edges: undefined });
