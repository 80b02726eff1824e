import type { AppliedChange } from '@sluice/contract';

type RequiredFields = Omit<AppliedChange, 'invitation' | 'client_secret'>;

/** Returns a change; its invitation and client secret are null unless `part` has them. */
export const appliedChange = (part: RequiredFields & Partial<AppliedChange>): AppliedChange => ({
  invitation: null,
  client_secret: null,
  ...part,
});
