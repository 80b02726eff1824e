import type { CredentialKind, Principal } from '@sluice/contract';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';

/**
 * What passport is given in place of the request: only what its strategies look at. So the request itself is not changed by
 * passport (it hangs `login`, `logout` and more on it), and each attempt carries its own proof.
 */
export interface StrategyRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Rejects with a ProblemError. */
  prove(): Promise<Principal>;
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
      .prove()
      .then(
        (principal) => this.success(principal),
        (problem: unknown) => this.error(problem),
      );
  }
}

const basicStrategy = (): BasicStrategy =>
  new BasicStrategy({ realm: 'sluice', passReqToCallback: true }, (request, _name, _secret, done) => {
    // Its own name and secret are not used: it cuts the secret at a colon. Ours were read from the header itself.
    attemptOf(request)
      .prove()
      .then(
        (principal) => done(null, principal),
        (problem: unknown) => done(problem),
      );
  });

/** passport-http refuses a secret that begins with a colon, so it is shown a header that only says that there is one. */
const PLACEHOLDER_HEADER = `Basic ${Buffer.from('name:secret').toString('base64')}`;

export interface Strategies {
  /** Runs the strategy of that kind; resolves with the principal that `prove` gave, rejects with what it threw. */
  run(kind: CredentialKind, prove: () => Promise<Principal>): Promise<Principal>;
}

export function createStrategies(): Strategies {
  const authenticator = new passport.Passport();
  authenticator.use('basic', basicStrategy());
  authenticator.use('idtoken', new TokenStrategy('idtoken'));
  authenticator.use('bearer', new TokenStrategy('bearer'));

  return {
    run: (kind, prove) =>
      new Promise((resolve, reject) => {
        const attempt: StrategyRequest = { headers: { authorization: PLACEHOLDER_HEADER }, prove };
        const answered = (problem: unknown, principal: Principal | false | undefined): void => {
          if (principal) resolve(principal);
          else reject(problem ?? new Error(`the ${kind} strategy answered nobody`));
        };
        const handler = authenticator.authenticate(kind, { session: false }, answered) as (
          request: StrategyRequest,
          response: undefined,
          next: (problem: unknown) => void,
        ) => void;
        handler(attempt, undefined, reject);
      }),
  };
}
