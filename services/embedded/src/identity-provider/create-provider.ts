import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { IdentityProviderOptions, Person, RegisteredClient } from './identity-provider-options.ts';
import { errorPage, logoutPage, signedOutPage } from './pages.ts';
import { languageOf } from './serve-interactions.ts';

const HOUR_SECONDS = 3600;

const clientOf = ({ clientId, clientSecret, redirectUris, postLogoutRedirectUris }: RegisteredClient) => ({
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uris: [...redirectUris],
  post_logout_redirect_uris: [...postLogoutRedirectUris],
});

const accountOf = ({ email, groups }: Person) => ({
  accountId: email,
  claims: () => ({ sub: email, email, email_verified: true, name: email.split('@')[0] ?? email, groups: [...groups] }),
});

/** Grants all scopes without asking for consent: client and provider belong to the same demo. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider, params } = oidc;
  const clientId = client?.clientId ?? '';
  const known = session?.grantIdFor(clientId);
  if (known !== undefined) return provider.Grant.find(known);
  const grant = new provider.Grant({ clientId, accountId: session?.accountId ?? '' });
  grant.addOIDCScope(String(params?.['scope'] ?? 'openid'));
  await grant.save();
  return grant;
}

const configurationOf = ({ people, clients }: IdentityProviderOptions): Configuration => ({
  clients: clients.map(clientOf),
  findAccount: (_context, id) => {
    const person = people.find(({ email }) => email === id);
    return person && accountOf(person);
  },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  // Keys are valid for one run, like all state of the provider.
  jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  pkce: { required: () => true },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  loadExistingGrant: grantAll,
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (context, form) => {
        context.body = logoutPage(form, languageOf(context.req));
      },
      postLogoutSuccessSource: (context) => {
        context.body = signedOutPage(languageOf(context.req));
      },
    },
  },
  renderError: (context, { error, error_description: description }) => {
    context.type = 'html';
    context.body = errorPage(`${error}: ${description ?? ''}`);
  },
  ttl: {
    AccessToken: HOUR_SECONDS,
    AuthorizationCode: 60,
    IdToken: HOUR_SECONDS,
    Grant: 8 * HOUR_SECONDS,
    Interaction: HOUR_SECONDS,
    Session: 8 * HOUR_SECONDS,
  },
});

/** Creates the OpenID provider of the demo's users, for this machine only. It keeps its state in memory. */
export const createProvider = (issuer: string, options: IdentityProviderOptions): Provider =>
  new Provider(issuer, configurationOf(options));
