import { readIdentityClaims, type VerifiedIdentity } from '@sluice/auth';
import { asProblem } from '@sluice/contract';
import type { Administration, AdministrationStore } from '@sluice/store/administration';
import { rollBack } from '../administration/account-transactions.ts';
import { admit, type IdentityInput, type IdentityLogin, identityEmail, mappedRoles } from './admit-identity.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** What a login with an identity would do. */
export interface TestedAdmission {
  readonly claims: VerifiedIdentity['claims'];
  readonly groups: readonly string[];
  /** Roles that the groups give. Undefined: the provider does not set roles. */
  readonly roles: readonly string[] | undefined;
  /** A sentence: the user that would be signed in, or why the login would be rejected. */
  readonly outcome: string;
}

/** Returns what a login with this identity would do. Changes and records nothing. */
export type TestAdmission = (caller: AnonymousCaller, input: IdentityInput) => Promise<TestedAdmission>;

interface TestAdmissionDependencies {
  readonly administration: Pick<AdministrationStore, 'read' | 'change'>;
}

/** Describes the outcome in a transaction that is rolled back. */
async function outcomeOf(within: Administration, login: IdentityLogin): Promise<string> {
  const address = identityEmail(login);
  const existing = address === undefined ? undefined : await within.users.findByEmail(address);
  const admitted = await admit(within, login);
  const { email } = admitted.user;
  if (admitted.kind === 'unconfirmed')
    return `Signs in as ${email}, who administers the tenant. The first sign-in asks for the password here, or another admin links the account.`;
  if (!admitted.isLinked) return `Signs in as ${email}.`;
  return existing === undefined
    ? `Becomes the new user ${email}.`
    : `Signs in as ${email}. The first sign-in links the account to this person.`;
}

export const createTestAdmission =
  ({ administration }: TestAdmissionDependencies): TestAdmission =>
  async (caller, input) => {
    const login = { ...caller, ...input };
    const { id } = caller.tenant;
    const { claims } = input.identity;
    const outcome = await rollBack(administration, id, (within) => outcomeOf(within, login)).catch(
      (thrown: unknown) => {
        const problem = asProblem(thrown);
        if (problem.status >= 500) throw thrown;
        return problem.message;
      },
    );
    const roles = await administration.read(id, (within) => mappedRoles(within, login));
    return { claims, groups: readIdentityClaims(claims, input.provider).groups, roles, outcome };
  };
