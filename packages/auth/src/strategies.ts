import type { CredentialKind, Principal } from '@sluice/contract';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';

/**
 * The object that passport receives instead of the HTTP request, with only the members that its strategies read. Passport adds
 * `login`, `logout` and more to its request, which must not happen to the HTTP request.
 */
interface StrategyRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Verifies the credential. Rejects with a ProblemError. */
  verify(): Promise<Principal>;
}

type PassportRequest = Parameters<passport.Strategy['authenticate']>[0];

const attemptOf = (request: PassportRequest): StrategyRequest => request as unknown as StrategyRequest;

/** The strategy of the `idtoken` header and of Bearer (RFC 6750 section 2.1). */
class TokenStrategy extends passport.Strategy {
  override readonly name: CredentialKind;

  constructor(name: CredentialKind) {
    super();
    this.name = name;
  }

  override authenticate(this: passport.StrategyCreated<this>, request: PassportRequest): void {
    attemptOf(request)
      .verify()
      .then(
        (principal) => this.success(principal),
        (problem: unknown) => this.error(problem),
      );
  }
}

const basicStrategy = (): BasicStrategy =>
  new BasicStrategy({ realm: 'sluice', passReqToCallback: true }, (request, _name, _secret, done) => {
    // Name and secret of passport-http are ignored, because it splits the secret at a colon. See decodeBasic.
    attemptOf(request)
      .verify()
      .then(
        (principal) => done(null, principal),
        (problem: unknown) => done(problem),
      );
  });

/** passport-http rejects a secret that begins with a colon, so it receives a placeholder. */
const PLACEHOLDER_HEADER = `Basic ${Buffer.from('name:secret').toString('base64')}`;

interface Strategies {
  /** Runs the strategy of that kind. Settles with the result of `verify`. */
  run(kind: CredentialKind, verify: () => Promise<Principal>): Promise<Principal>;
}

export function createStrategies(): Strategies {
  const authenticator = new passport.Passport();
  authenticator.use('basic', basicStrategy());
  authenticator.use('idtoken', new TokenStrategy('idtoken'));
  authenticator.use('bearer', new TokenStrategy('bearer'));

  return {
    run: (kind, verify) =>
      new Promise((resolve, reject) => {
        const attempt: StrategyRequest = { headers: { authorization: PLACEHOLDER_HEADER }, verify };
        const settle = (problem: unknown, principal: Principal | false | undefined): void => {
          if (principal) resolve(principal);
          else reject(problem ?? new Error(`The ${kind} strategy returned no principal.`));
        };
        const handler = authenticator.authenticate(kind, { session: false }, settle) as (
          request: StrategyRequest,
          response: undefined,
          next: (problem: unknown) => void,
        ) => void;
        handler(attempt, undefined, reject);
      }),
  };
}
