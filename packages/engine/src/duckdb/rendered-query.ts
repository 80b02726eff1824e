import type { RowTemplate } from '@sluice/encoders';
import type { Statement } from '../engine.ts';
import type { CheckedStatement } from './checked-statement.ts';
import type { Interruption } from './interruption.ts';
import type { Source } from './source.ts';

/** A checked statement with everything that is needed to read its result. */
export interface RenderedQuery {
  readonly statement: Statement;
  readonly checked: CheckedStatement;
  readonly source: Source;
  readonly template: RowTemplate;
  readonly signal: AbortSignal;
  readonly interruption: Interruption;
  readonly hiddenPaths: readonly string[];
  /** Processor time limit for planning. */
  readonly planningMsMax: number | undefined;
  /** Returns the memory that rows are copied to. */
  readonly allocate: (bytes: number) => Uint8Array;
}
