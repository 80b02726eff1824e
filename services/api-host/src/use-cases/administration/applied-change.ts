import type { AppliedChange } from '@sluice/contract';

type Told = Omit<AppliedChange, 'invitation' | 'client_secret'>;

/** A change without ways in, unless `part` has them. */
export const appliedChange = (part: Told & Partial<AppliedChange>): AppliedChange => ({
  invitation: null,
  client_secret: null,
  ...part,
});
