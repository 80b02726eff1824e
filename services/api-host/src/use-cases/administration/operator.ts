import type { RequestOrigin } from '@sluice/auth';

/** User of audit records whose action was an operator's. */
export const OPERATOR = 'operator';

/** Origin of an operator's request; empty for a command in a shell. */
export type OperatorCaller = Partial<RequestOrigin>;
