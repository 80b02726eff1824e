/** Options of the development identity provider, passed to its process as one line of JSON. */
export interface IdentityProviderOptions {
  readonly port: number;
  readonly people: readonly Person[];
  readonly clients: readonly RegisteredClient[];
}

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly groups: readonly string[];
  /** Role by which the login page describes the account (PROVIDER_MESSAGES), or the description itself. */
  readonly about: string;
  /** Client at whose login page the account is listed. */
  readonly clientId: string;
}

export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
}

/** The loopback only, because the passwords are publicly known. */
export const IDENTITY_PROVIDER_HOST = '127.0.0.1';

/** Returns the issuer URL of the provider on a port. */
export const issuerOn = (port: number): string => `http://${IDENTITY_PROVIDER_HOST}:${port}`;
