import type { RowTemplate } from '@sluice/encoders';
import type { Statement } from '../engine.ts';
import type { CheckedStatement } from './checked-statement.ts';
import type { Interruption } from './interruption.ts';
import type { Source } from './source.ts';

/** Everything that both ways of reading a result need to know of it. */
export interface RenderedQuery {
  readonly statement: Statement;
  readonly checked: CheckedStatement;
  readonly source: Source;
  readonly template: RowTemplate;
  readonly signal: AbortSignal;
  readonly interruption: Interruption;
  readonly hiddenPaths: readonly string[];
  /** Processor time that planning it may take. */
  readonly planningMsMax: number | undefined;
  /** Gives the memory that rows are copied to. */
  readonly allocate: (bytes: number) => Uint8Array;
}
