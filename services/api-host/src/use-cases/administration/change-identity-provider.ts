import { isDeepStrictEqual } from 'node:util';
import type { OidcClient, SecretBox } from '@sluice/auth';
import { auditOf, type Caller, type IdentityProviderRequest, type ProblemDetail, ProblemError } from '@sluice/contract';
import type { Administration, AdministrationStore, StoredIdentityProvider } from '@sluice/store/administration';
import { found } from './account-rules.ts';
import { presentProvider, wantedProvider } from './identity-provider-content.ts';

const WHAT = 'identity provider';

/** Asks the issuer, before any transaction is open: it may take its time. Throws `invalid_request` with what is wrong. */
export async function checkIssuer(oidc: Pick<OidcClient, 'checkIssuer'>, issuer: string, path: string): Promise<void> {
  try {
    await oidc.checkIssuer(issuer);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_request') throw thrown;
    const message = `issuer ${thrown.message}`;
    throw new ProblemError('invalid_request', `The request is not valid: ${path}: ${message}.`, {
      details: [{ path, message }],
      cause: thrown,
    });
  }
}

async function requireMappedRoles(
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
  throw new ProblemError('invalid_request', `There is no role ${[...unknown].join(', ')}. Make it first.`, { details });
}

export interface ProviderChange {
  readonly before: StoredIdentityProvider | undefined;
  readonly after: StoredIdentityProvider;
  readonly isSame: boolean;
}

export interface ProviderInput {
  readonly wish: IdentityProviderRequest;
  /** Undefined: whatever it is now. */
  readonly version: number | undefined;
  /** False: what is as it is wanted has no record. */
  readonly recordsSame: boolean;
}

/** Throws `invalid_request` for roles that are not there and a secret that is not kept; `not_found` and `precondition_failed`. */
export async function putIdentityProvider(
  administration: Administration,
  caller: Caller,
  { wish, version, recordsSame, box }: ProviderInput & { readonly box: SecretBox },
): Promise<ProviderChange> {
  const { identityProvider } = administration;
  const { tenant, name: by } = caller.principal;
  const before = await identityProvider.find();
  if (version !== undefined) found(before, { what: WHAT, version });
  await requireMappedRoles(administration, wish);
  const { content, isSecretChanged } = wantedProvider(box, tenant.id, { wish, before });
  const told = { before: before === undefined ? null : presentProvider(before), after: presentProvider(content) };
  const isSame = !isSecretChanged && isDeepStrictEqual(told.before, told.after);
  if (!isSame) await identityProvider.put(content, by);
  if (!isSame || recordsSame) {
    const metadata = { ...told, client_secret_changed: isSecretChanged };
    const { issuer: target } = content;
    await administration.record(auditOf(caller, { action: 'UPDATE_IDENTITY_PROVIDER', target, metadata }));
  }
  return { before, after: found(await identityProvider.find(), { what: WHAT }), isSame };
}

/** Throws `not_found` and `precondition_failed`. */
export async function removeIdentityProvider(
  administration: Administration,
  caller: Caller,
  version: number | undefined,
): Promise<void> {
  const before = found(await administration.identityProvider.find(), { what: WHAT, version });
  await administration.identityProvider.remove();
  const metadata = { before: presentProvider(before), after: null };
  const target = before.issuer;
  await administration.record(auditOf(caller, { action: 'DELETE_IDENTITY_PROVIDER', target, metadata }));
}

/** No record, no answer. Throws `not_found`. */
export const findIdentityProvider = (
  store: Pick<AdministrationStore, 'read'>,
  caller: Caller,
): Promise<StoredIdentityProvider> =>
  store.read(caller.principal.tenant.id, async ({ identityProvider, record }) => {
    const provider = found(await identityProvider.find(), { what: WHAT });
    await record(auditOf(caller, { action: 'READ_IDENTITY_PROVIDER', target: provider.issuer }));
    return provider;
  });
