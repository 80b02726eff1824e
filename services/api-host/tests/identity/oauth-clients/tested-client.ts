/** Tokens as a library returns them. */
export interface ClientTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Endpoints for libraries that do not read the metadata of a server. */
export interface ServerAddresses {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
  readonly device_authorization_endpoint: string;
}

/** Steps of the flows, each done by the library and not by the test. */
export interface ClientSteps {
  /** Prepares the library for a server. */
  start(input: ServerAddresses & { readonly client_id: string; readonly redirect_uri: string }): Promise<unknown>;
  /** Returns the address at which the browser begins. */
  authorize(input: { readonly scope: string }): Promise<string>;
  /** Redeems the code of the address to which the browser was sent. */
  redeem(input: { readonly callback: string }): Promise<ClientTokens>;
  refresh(input: { readonly refresh_token: string }): Promise<ClientTokens>;
  revoke(input: { readonly token: string }): Promise<unknown>;
  /** Begins the login of a device, and returns the code for the user. */
  beginDevice(input: { readonly scope: string }): Promise<string>;
  finishDevice(): Promise<ClientTokens>;
}

/** A third-party client library. */
export interface TestedClient {
  readonly name: string;
  /** Parts of the flows that the library itself has. */
  readonly has: {
    readonly revocation: boolean;
    /** Rejects a response of another issuer (RFC 9207). */
    readonly issuerCheck: boolean;
  };
  /** Installs or builds it. */
  readonly install: () => Promise<void>;
  readonly steps: ClientSteps;
  readonly stop: () => void;
}

/** Runs the steps in another process, which gets each as a line of JSON. */
export function remoteSteps(call: (request: unknown) => Promise<unknown>): ClientSteps {
  const step =
    <Result>(name: keyof ClientSteps) =>
    (input: object = {}): Promise<Result> =>
      call({ step: name, ...input }) as Promise<Result>;
  return {
    start: step('start'),
    authorize: step('authorize'),
    redeem: step('redeem'),
    refresh: step('refresh'),
    revoke: step('revoke'),
    beginDevice: step('beginDevice'),
    finishDevice: step('finishDevice'),
  };
}
