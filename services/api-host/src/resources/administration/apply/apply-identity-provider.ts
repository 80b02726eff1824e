import type { SecretBox } from '@sluice/auth';
import type { AppliedChange, Configuration } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { type ProviderChange, saveIdentityProvider } from '../identity-provider.ts';
import { presentProvider } from '../identity-provider-content.ts';
import { appliedChange } from './applied-change.ts';
import type { ConfigurationViolations } from './configuration-violations.ts';

interface ProviderStep {
  readonly tx: TenantTransaction;
  readonly box: SecretBox;
  readonly violations: ConfigurationViolations;
}

const actionOf = ({ before, isSame }: ProviderChange): AppliedChange['action'] => {
  if (before === undefined) return 'create';
  return isSame ? 'none' : 'update';
};

/** Applies the identity provider of a file. Its issuer was checked before the transaction. */
export async function applyIdentityProvider(
  { tx, box, violations }: ProviderStep,
  { identity_provider: request }: Configuration,
): Promise<readonly AppliedChange[]> {
  if (request === undefined) return [];
  const change = await violations.collect('identity_provider', () =>
    saveIdentityProvider(tx, { request, version: undefined, recordsSame: false, box }),
  );
  if (change === undefined) return [];
  return [
    appliedChange({
      kind: 'identity_provider',
      name: request.issuer,
      action: actionOf(change),
      before: change.before === undefined ? null : presentProvider(change.before),
      after: presentProvider(change.after),
    }),
  ];
}
