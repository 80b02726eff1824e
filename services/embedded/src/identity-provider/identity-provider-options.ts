/** What the process of the development identity provider is started with, as one JSON argument. */
export interface IdentityProviderOptions {
  readonly port: number;
  readonly people: readonly Person[];
  readonly clients: readonly RegisteredClient[];
}

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly groups: readonly string[];
}

export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
}

/** It listens on the loopback alone: everybody knows its passwords. */
export const IDENTITY_PROVIDER_HOST = '127.0.0.1';
