import * as oauth from 'oauth4webapi';
import type { ClientTokens, TestedClient } from './tested-client.ts';

const LOCAL = { [oauth.allowInsecureRequests]: true };
/** RFC 8628 section 3.5 lets a client poll after the interval. The test has approved the device by then. */
const POLL_MS = 5_000;

let server: oauth.AuthorizationServer;
let client: oauth.Client;
let redirectUri: string;
let verifier: string;
let state: string;
let deviceCode: string;

const tokensOf = ({ access_token, refresh_token = '' }: oauth.TokenEndpointResponse): ClientTokens => ({
  access_token,
  refresh_token,
});

/** Names the code of an error, which the library keeps in a field. */
function withCode(error: unknown): never {
  throw error instanceof oauth.ResponseBodyError ? new Error(error.error, { cause: error }) : error;
}

/** The library below openid-client, which leaves each step to the program. */
export const oauth4webapi: TestedClient = {
  name: 'oauth4webapi',
  has: { revocation: true, issuerCheck: true },
  install: async () => undefined,
  stop: () => undefined,
  steps: {
    start: async (input) => {
      const issuer = new URL(input.issuer);
      const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOCAL });
      server = await oauth.processDiscoveryResponse(issuer, response);
      client = { client_id: input.client_id };
      redirectUri = input.redirect_uri;
    },
    authorize: async ({ scope }) => {
      verifier = oauth.generateRandomCodeVerifier();
      state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? '');
      const parameters = {
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    redeem: async ({ callback }) => {
      const parameters = oauth.validateAuthResponse(server, client, new URL(callback), state);
      const authentication = oauth.None();
      const grant = [server, client, authentication, parameters, redirectUri, verifier, LOCAL] as const;
      const response = await oauth.authorizationCodeGrantRequest(...grant);
      return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, response).catch(withCode));
    },
    refresh: async ({ refresh_token }) => {
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh_token, LOCAL);
      return tokensOf(await oauth.processRefreshTokenResponse(server, client, response).catch(withCode));
    },
    revoke: async ({ token }) => {
      const response = await oauth.revocationRequest(server, client, oauth.None(), token, LOCAL);
      await oauth.processRevocationResponse(response);
    },
    beginDevice: async ({ scope }) => {
      const parameters = new URLSearchParams({ scope });
      const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), parameters, LOCAL);
      const begun = await oauth.processDeviceAuthorizationResponse(server, client, response);
      deviceCode = begun.device_code;
      return begun.user_code;
    },
    finishDevice: async () => {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), deviceCode, LOCAL);
      return tokensOf(await oauth.processDeviceCodeResponse(server, client, response));
    },
  },
};
