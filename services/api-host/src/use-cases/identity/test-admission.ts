import { readIdentityClaims, type VerifiedIdentity } from '@sluice/auth';
import { asProblem, type ProblemError } from '@sluice/contract';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import {
  admissionActor,
  admit,
  type IdentityInput,
  type IdentityLogin,
  identityEmail,
  mappedRoles,
} from './admit-identity.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** The user that a login would sign in, or why it would be rejected. */
export type TestOutcome =
  | {
      /**
       * `linked`: an account that is linked to this person. `first`: the login links it. `new`: the login creates the account.
       * `unconfirmed`: the account of an admin, which the login links with the password only.
       */
      readonly kind: 'linked' | 'first' | 'new' | 'unconfirmed';
      readonly email: string;
    }
  | { readonly kind: 'rejected'; readonly problem: ProblemError };

/** Outcome that a login with an identity would have, and the claims, groups and roles that it depends on. */
export interface TestedAdmission {
  readonly claims: VerifiedIdentity['claims'];
  readonly groups: readonly string[];
  /** Roles that the groups give. Undefined: the provider does not set roles. */
  readonly roles: readonly string[] | undefined;
  readonly outcome: TestOutcome;
}

/** Returns what a login with this identity would do. Changes and records nothing. */
export type TestAdmission = (caller: AnonymousCaller, input: IdentityInput) => Promise<TestedAdmission>;

interface TestAdmissionDependencies {
  readonly database: Pick<ResourceDatabase, 'read' | 'dryRun'>;
}

/** Describes the outcome in a transaction that is rolled back. */
async function outcomeOf(tx: TenantTransaction, login: IdentityLogin): Promise<TestOutcome> {
  const address = identityEmail(login);
  const existing = address === undefined ? undefined : await tx.users.findByEmail(address);
  const admitted = await admit(tx, login);
  const { email } = admitted.user;
  if (admitted.kind === 'unconfirmed') return { kind: 'unconfirmed', email };
  if (!admitted.isLinked) return { kind: 'linked', email };
  return { kind: existing === undefined ? 'new' : 'first', email };
}

export const createTestAdmission =
  ({ database }: TestAdmissionDependencies): TestAdmission =>
  async (caller, input) => {
    const login = { ...caller, ...input };
    const actor = admissionActor(caller);
    const { claims } = input.identity;
    const outcome = await database
      .dryRun(actor, (tx) => outcomeOf(tx, login))
      .catch((thrown: unknown): TestOutcome => {
        const problem = asProblem(thrown);
        if (problem.status >= 500) throw thrown;
        return { kind: 'rejected', problem };
      });
    const roles = await database.read(actor, (tx) => mappedRoles(tx, login));
    return { claims, groups: readIdentityClaims(claims, input.provider).groups, roles, outcome };
  };
