import { isDeepStrictEqual } from 'node:util';
import type { OidcClient, SecretBox } from '@sluice/auth';
import {
  auditOf,
  type Caller,
  type IdentityProviderRequest,
  invalidRequest,
  type ProblemDetail,
  ProblemError,
} from '@sluice/contract';
import type { Administration, AdministrationStore, StoredIdentityProvider } from '@sluice/store/administration';
import { requireFound } from '../../resources/target.ts';
import { type AdministrationStep, inTransaction, type StepDependencies } from './account-transactions.ts';
import { presentProvider, providerContent } from './identity-provider-content.ts';

const WHAT = 'identity provider';

/** Checks the metadata of an issuer. Called before a transaction, because the issuer may be slow. Throws `invalid_request` with the reason. */
export async function checkIssuer(oidc: Pick<OidcClient, 'checkIssuer'>, issuer: string, path: string): Promise<void> {
  try {
    await oidc.checkIssuer(issuer);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_request') throw thrown;
    throw invalidRequest({ path, message: `issuer ${thrown.message}` }, { cause: thrown });
  }
}

/** Throws `invalid_request` for a mapping to a role that does not exist. */
export async function requireMappedRoles(
  { roles }: Administration,
  { role_mappings: mappings = [] }: IdentityProviderRequest,
): Promise<void> {
  const unknown = new Set(await roles.unknown(mappings.flatMap((mapping) => mapping.roles)));
  const details: ProblemDetail[] = mappings.flatMap((mapping, index) =>
    mapping.roles.flatMap((name, place) =>
      unknown.has(name)
        ? [{ path: `body.role_mappings[${index}].roles[${place}]`, message: `there is no role ${name}` }]
        : [],
    ),
  );
  if (details.length === 0) return;
  throw new ProblemError('invalid_request', `There is no role ${[...unknown].join(', ')}. Create it first.`, {
    details,
  });
}

export interface ProviderChange {
  readonly before: StoredIdentityProvider | undefined;
  readonly after: StoredIdentityProvider;
  readonly isSame: boolean;
}

export interface ProviderInput {
  readonly request: IdentityProviderRequest;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

interface SaveProviderInput extends ProviderInput {
  /** Whether a request without a change is recorded too. */
  readonly recordsSame: boolean;
  readonly box: SecretBox;
}

/** Sets the identity provider of the tenant. Throws the errors of `checkIssuer` and `saveIdentityProvider`. */
type PutIdentityProvider = (caller: Caller, input: ProviderInput) => Promise<StoredIdentityProvider>;
/** Removes the identity provider of a version, or of any. Throws `not_found` and `precondition_failed`. */
type RemoveIdentityProvider = (caller: Caller, input: Pick<ProviderInput, 'version'>) => Promise<void>;
/** Returns the identity provider. Throws `not_found`; fails if the read cannot be recorded. */
type FindIdentityProvider = (caller: Caller) => Promise<StoredIdentityProvider>;

/** Throws `invalid_request` for unknown roles and for a missing secret, `not_found` and `precondition_failed`. */
export const saveIdentityProvider: AdministrationStep<SaveProviderInput, ProviderChange> = async (
  administration,
  caller,
  { request, version, recordsSame, box },
) => {
  const { identityProvider } = administration;
  const { tenant, name: by } = caller.principal;
  const before = await identityProvider.find();
  if (version !== undefined) requireFound(before, { what: WHAT, version });
  await requireMappedRoles(administration, request);
  const { content, isSecretChanged } = providerContent(box, tenant.id, { request, before });
  const change = { before: before === undefined ? null : presentProvider(before), after: presentProvider(content) };
  const isSame = !isSecretChanged && isDeepStrictEqual(change.before, change.after);
  if (!isSame) await identityProvider.put(content, by);
  if (!isSame || recordsSame) {
    const metadata = { ...change, client_secret_changed: isSecretChanged };
    const { issuer: target } = content;
    await administration.record(auditOf(caller, { action: 'UPDATE_IDENTITY_PROVIDER', target, metadata }));
  }
  return { before, after: requireFound(await identityProvider.find(), { what: WHAT }), isSame };
};

const removeIdentityProvider: AdministrationStep<Pick<ProviderInput, 'version'>, void> = async (
  administration,
  caller,
  { version },
) => {
  const before = requireFound(await administration.identityProvider.find(), { what: WHAT, version });
  await administration.identityProvider.remove();
  const metadata = { before: presentProvider(before), after: null };
  const target = before.issuer;
  await administration.record(auditOf(caller, { action: 'DELETE_IDENTITY_PROVIDER', target, metadata }));
};

interface PutIdentityProviderDependencies extends StepDependencies {
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
}

export const createPutIdentityProvider =
  ({ oidc, box, ...dependencies }: PutIdentityProviderDependencies): PutIdentityProvider =>
  async (caller, input) => {
    await checkIssuer(oidc, input.request.issuer, 'body.issuer');
    const save = inTransaction(dependencies, saveIdentityProvider);
    const { after } = await save(caller, { ...input, recordsSame: true, box });
    return after;
  };

export const createRemoveIdentityProvider = (dependencies: StepDependencies): RemoveIdentityProvider =>
  inTransaction(dependencies, removeIdentityProvider);

interface FindIdentityProviderDependencies {
  readonly administration: Pick<AdministrationStore, 'read'>;
}

export const createFindIdentityProvider =
  ({ administration }: FindIdentityProviderDependencies): FindIdentityProvider =>
  (caller) =>
    administration.read(caller.principal.tenant.id, async ({ identityProvider, record }) => {
      const provider = requireFound(await identityProvider.find(), { what: WHAT });
      await record(auditOf(caller, { action: 'READ_IDENTITY_PROVIDER', target: provider.issuer }));
      return provider;
    });
