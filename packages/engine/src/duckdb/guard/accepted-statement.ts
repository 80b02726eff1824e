import type { GuardVerdict } from './read-only-guard.ts';
import type { SplitStatement } from './split-explain.ts';
import type { StatementFacts } from './statement-facts.ts';

/** The guard's result for a statement that it accepted. */
export interface AcceptedStatement {
  readonly split: SplitStatement;
  readonly verdict: GuardVerdict;
  /** The guarded statement without trailing semicolons. */
  readonly text: string;
  readonly facts: StatementFacts;
}
