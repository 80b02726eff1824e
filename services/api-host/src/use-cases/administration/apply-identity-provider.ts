import type { SecretBox } from '@sluice/auth';
import type { AppliedChange, Caller, Configuration } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';
import { appliedChange } from './applied-change.ts';
import { type ProviderChange, saveIdentityProvider } from './change-identity-provider.ts';
import type { ConfigurationMistakes } from './configuration-mistakes.ts';
import { presentProvider } from './identity-provider-content.ts';

interface ProviderStep {
  readonly administration: Administration;
  readonly caller: Caller;
  readonly box: SecretBox;
  readonly mistakes: ConfigurationMistakes;
}

const actionOf = ({ before, isSame }: ProviderChange): AppliedChange['action'] => {
  if (before === undefined) return 'create';
  return isSame ? 'none' : 'update';
};

/** Applies the identity provider of a file. Its issuer was checked before the transaction. */
export async function applyIdentityProvider(
  { administration, caller, box, mistakes }: ProviderStep,
  { identity_provider: request }: Configuration,
): Promise<readonly AppliedChange[]> {
  if (request === undefined) return [];
  const change = await mistakes.collect('identity_provider', () =>
    saveIdentityProvider(administration, caller, { request, version: undefined, recordsSame: false, box }),
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
