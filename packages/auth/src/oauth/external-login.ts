import { createOpaqueToken, hashOpaqueToken } from '../opaque-token.ts';
import type { Clock } from '../ports.ts';
import type { ValueSeal } from '../value-seal.ts';

/** Client without a credential, as the host that challenges it sees it. */
export interface ExternalLoginClient {
  readonly address: string;
  /** Name that it gives itself. */
  readonly program: string;
}

/** Login that a client waits for. */
export interface RequestedLogin extends ExternalLoginClient {
  /** SHA-256 of the secret that the client polls with. */
  readonly secretHash: Uint8Array;
  readonly createdMs: number;
}

/** A new login: what the client polls with, and what its user opens in a browser. Neither leads to the other. */
export interface BegunLogin {
  readonly secret: string;
  /** Client and time, sealed, so that the page shows what a host has seen. Safe in a URL. */
  readonly login: string;
}

/** Logins of Trino clients, which are nowhere but in the challenge of a 401 until a user decides: a flood of 401s writes nothing. */
export interface ExternalLogins {
  begin(tenantName: string, client: ExternalLoginClient): Promise<BegunLogin>;
  /** Returns undefined for whatever `begin` did not return for this tenant within the last `EXTERNAL_LOGIN_LIFETIME_MS`. */
  open(tenantName: string, login: string): Promise<RequestedLogin | undefined>;
}

/** Enough to sign in with a provider. The drivers give up after two minutes by default. */
export const EXTERNAL_LOGIN_LIFETIME_MS = 300_000;
/** Accepted difference between the clocks of hosts. */
const CLOCK_TOLERANCE_MS = 30_000;

const PURPOSE = 'sluice external login';
const PROGRAM_CHARACTERS_MAX = 80;

interface ExternalLoginsOptions {
  /** Seal with a key that both hosts have. Called for each login, so that its key may be read when it is first needed. */
  readonly seal: () => Promise<ValueSeal>;
  readonly now?: Clock;
}

/** Hash, time, address and name of a login, in this order. */
type SealedLogin = readonly [hash: string, createdMs: number, address: string, program: string];

/** Removes what could reorder or hide the text of a page. */
const readable = (name: string): string => name.replace(/[^\x20-\x7e]/g, '').slice(0, PROGRAM_CHARACTERS_MAX);

export const createExternalLogins = ({ seal, now = Date.now }: ExternalLoginsOptions): ExternalLogins => ({
  async begin(tenantName, { address, program }) {
    const secret = createOpaqueToken();
    const hash = Buffer.from(hashOpaqueToken(secret)).toString('base64url');
    const content: SealedLogin = [hash, now(), address, readable(program)];
    const value = Buffer.from(JSON.stringify(content)).toString('base64url');
    return { secret, login: (await seal()).seal(value, [PURPOSE, tenantName]) };
  },
  async open(tenantName, login) {
    const value = (await seal()).open(login, [PURPOSE, tenantName]);
    if (value === undefined) return undefined;
    const [hash, createdMs, address, program] = JSON.parse(Buffer.from(value, 'base64url').toString()) as SealedLogin;
    const ageMs = now() - createdMs;
    if (ageMs < -CLOCK_TOLERANCE_MS || ageMs > EXTERNAL_LOGIN_LIFETIME_MS) return undefined;
    return { secretHash: new Uint8Array(Buffer.from(hash, 'base64url')), createdMs, address, program };
  },
});
