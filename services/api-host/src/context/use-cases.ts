import type { ApiContext } from './context.ts';
import { createIdentityUseCases, type IdentityUseCases } from './identity-use-cases.ts';

/** The finished use-cases that the routes of this host call. */
export interface UseCases extends IdentityUseCases {}

export const createUseCases = (context: ApiContext): UseCases => ({
  ...createIdentityUseCases(context),
});
