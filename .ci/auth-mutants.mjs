/**
 * Guards of the authentication, each broken by hand, in the form of mutants.mjs: of tokens, of secrets, of sessions, of programs (OAuth 2.0),
 * of identity providers and of requests.
 */
const AUTH = 'packages/auth/src';
const STORE = 'packages/store/src/identity';
const USE_CASES = 'services/api-host/src/use-cases/identity';
const ROUTES = 'services/api-host/src/routes/identity';
const API_TESTS = 'services/api-host/tests/identity';
const RACES = 'services/api-host/tests/administration/secret-revocation-race.test.ts';

const TOKENS = [
  {
    name: 'a token of any audience is accepted',
    file: `${AUTH}/token-verifier.ts`,
    find: "audience: use === 'access' ? [...accessAudiences] : audience,",
    replace: '',
    tests: [`${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'a token without signature is accepted',
    file: `${AUTH}/token-verifier.ts`,
    find: 'return await jwtVerify(token, (header) => keyOf(header.kid), rules);',
    replace:
      "const [head = '', body = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());\n      if (JSON.parse(head).alg === 'none') return { payload: JSON.parse(body), protectedHeader: JSON.parse(head) };\n      return await jwtVerify(token, (header) => keyOf(header.kid), rules);",
    tests: [`${AUTH}/token-verifier.test.ts`, `${API_TESTS}/authentication-matrix.test.ts`],
  },
  {
    name: 'an expired token is accepted for a day',
    file: `${AUTH}/token-verifier.ts`,
    find: 'clockTolerance: CLOCK_TOLERANCE_SECONDS,',
    replace: 'clockTolerance: 86_400,',
    tests: [`${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'a token issued in the future, or long ago, is accepted',
    file: `${AUTH}/token-verifier.ts`,
    find: 'maxTokenAge: TOKEN_LIFETIME_SECONDS_MAX,',
    replace: '',
    tests: [`${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'a token without an end never expires',
    file: `${AUTH}/token-verifier.ts`,
    find: "'sub', 'exp', 'nbf'",
    replace: "'sub', 'nbf'",
    tests: [`${AUTH}/token-verifier.test.ts`, `${API_TESTS}/authentication-matrix.test.ts`],
  },
  {
    name: 'a token of one use is accepted for the other, if its type says so',
    file: `${AUTH}/token-verifier.ts`,
    find: "payload['token_use'] !== use",
    replace: "payload['token_use'] === undefined",
    tests: [`${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'the type of a token is not checked',
    file: `${AUTH}/token-verifier.ts`,
    find: 'typ: TOKEN_TYPES[use],',
    replace: '',
    tests: [`${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'a token that was verified a moment ago is accepted after its key left the set',
    file: `${AUTH}/token-verifier.ts`,
    find: 'if (known !== undefined && (await keyOf(known.verified.keyId)) === known.key) return known.verified;',
    replace: 'if (known !== undefined) return known.verified;',
    tests: [`${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'an ID token that was verified a moment ago is an access token',
    file: `${AUTH}/remembered-tokens.ts`,
    find: 'keyOf(use: TokenUse, token: string): string {',
    replace: "keyOf(_use: TokenUse, token: string): string {\n    const use = '';",
    tests: [`${AUTH}/remembered-tokens.test.ts`, `${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'an expired token is accepted because it was verified before it expired',
    file: `${AUTH}/remembered-tokens.ts`,
    find: 'Math.min(this.#now() + REMEMBER_MS, endMs)',
    replace: 'Math.max(this.#now() + REMEMBER_MS, endMs)',
    tests: [`${AUTH}/remembered-tokens.test.ts`, `${AUTH}/token-verifier.test.ts`],
  },
  {
    name: 'a token is accepted at the address of another tenant',
    file: `${AUTH}/credential-verifier.ts`,
    find: 'context.tenant !== undefined && context.tenant.name !== token.tenantName',
    replace: 'context.tenant !== undefined && context.tenant.name === undefined',
    tests: [`${AUTH}/credential-verifier.test.ts`],
  },
  {
    name: 'the token of an ended session is accepted',
    file: `${AUTH}/credential-verifier.ts`,
    find: '!status.sessionLive || status.keyRevoked',
    replace: 'status.keyRevoked',
    tests: [`${AUTH}/credential-verifier.test.ts`],
  },
  {
    name: 'a token that a revoked key has signed is accepted',
    file: `${AUTH}/credential-verifier.ts`,
    find: '!status.sessionLive || status.keyRevoked',
    replace: '!status.sessionLive',
    tests: [`${AUTH}/credential-verifier.test.ts`],
  },
  {
    name: 'the token of a disabled account is accepted',
    file: `${AUTH}/credential-verifier.ts`,
    find: 'account === undefined || account.disabled) throw ended()',
    replace: 'account === undefined) throw ended()',
    tests: [`${AUTH}/credential-verifier.test.ts`],
  },
  {
    name: 'during an outage of the key set every token is wrong, and clients discard theirs',
    file: `${AUTH}/remote-key-source.ts`,
    find: "throw new ProblemError('service_unavailable', 'Tokens cannot",
    replace: "throw new ProblemError('unauthorized', 'Tokens cannot",
    tests: [`${AUTH}/remote-key-source.test.ts`],
  },
  {
    name: 'keys of a key set that is gone are accepted forever',
    file: `${AUTH}/remote-key-source.ts`,
    find: 'now() - fetchedAt < graceMs',
    replace: 'fetchedAt < now() + graceMs',
    tests: [`${AUTH}/remote-key-source.test.ts`],
  },
];

const SECRETS = [
  {
    name: 'a second credential in a request is ignored',
    file: `${AUTH}/credential.ts`,
    find: 'if (sent.length > 1) {',
    replace: 'if (sent.length > 2) {',
    tests: [`${AUTH}/credential.test.ts`],
  },
  {
    name: 'a host accepts a kind of credential that it does not offer',
    file: `${AUTH}/credential.ts`,
    find: 'if (!accepted.includes(credential.kind))',
    replace: 'if (accepted.length === 0)',
    tests: [`${AUTH}/credential.test.ts`],
  },
  {
    name: 'a disabled account logs in with its password',
    file: `${AUTH}/secret-checker.ts`,
    find: 'account === undefined || account.disabled || secretHash === undefined',
    replace: 'account === undefined || secretHash === undefined',
    tests: [`${AUTH}/secret-verifier.test.ts`, `${AUTH}/secret-checker.test.ts`],
  },
  {
    name: 'a password that was changed is accepted, because it was right a moment ago',
    file: `${AUTH}/remembered-secrets.ts`,
    find: 'secretHash !== undefined && secretHashes.includes(secretHash)',
    replace: 'secretHash !== undefined && secretHashes.length > 0',
    tests: [`${AUTH}/remembered-secrets.test.ts`],
  },
  {
    name: 'an unknown account answers faster than a known one',
    file: `${AUTH}/passwords.ts`,
    find: 'for (let tried = hashes.length; tried < hashesTried; tried += 1)',
    replace: 'for (let tried = hashesTried; tried < hashesTried; tried += 1)',
    tests: [`${AUTH}/passwords.test.ts`],
  },
  {
    name: 'guesses are never refused',
    file: `${AUTH}/login-throttle.ts`,
    find: 'memory.addBlock(key.key, outcome.blockedMs);\n      refuse(Math.max(1, outcome.blockedMs));',
    replace: '',
    tests: [`${AUTH}/login-throttle.test.ts`, `${API_TESTS}/login-throttle.test.ts`],
  },
  {
    name: 'a client with one IPv6 network guesses from 2^64 addresses',
    file: `${AUTH}/address-prefix.ts`,
    find: 'const GROUPS_OF_PREFIX = 4;',
    replace: 'const GROUPS_OF_PREFIX = 8;',
    tests: [`${AUTH}/address-prefix.test.ts`],
  },
  {
    name: 'the beginning of the operator token is the operator token',
    file: `${AUTH}/operator-gate.ts`,
    find: 'if (timingSafeEqual(digest(received), expected)) return;',
    replace: 'if (token.startsWith(received)) return;',
    tests: [`${AUTH}/operator-gate.test.ts`],
  },
  {
    name: 'a login goes on with a password that was reset while it was verified',
    file: `${STORE}/insert-session.ts`,
    find: 'u.password_hash = $3 and not u.disabled for share',
    replace: '$3::text is not null and not u.disabled for share',
    tests: [RACES],
  },
];

const PROGRAMS = [
  {
    name: 'a program may omit the proof that it began the login (PKCE)',
    file: `${USE_CASES}/check-authorization-request.ts`,
    find: "challenge !== undefined && method === 'S256' && isCodeChallenge(challenge)",
    replace: 'challenge !== undefined && isCodeChallenge(challenge)',
    tests: [`${API_TESTS}/oauth-authorize.test.ts`],
  },
  {
    name: 'a code is redeemed without its verifier',
    file: `${USE_CASES}/redeem-authorization-code.ts`,
    find: 'if (!verifiesChallenge(codeVerifier, found.challenge))',
    replace: 'if (codeVerifier === found.challenge)',
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'a code is redeemed for another redirect address',
    file: `${USE_CASES}/redeem-authorization-code.ts`,
    find: 'if (found.redirectUri !== redirectUri)',
    replace: "if (redirectUri === '')",
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'a used code does not end the session of the thief',
    file: `${STORE}/authorization-code-store.ts`,
    find: 'update sessions s set revoked_at = coalesce(s.revoked_at, clock_timestamp()),',
    replace: 'update sessions s set revoked_at = s.revoked_at,',
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'an expired code is redeemed',
    file: `${STORE}/authorization-code-store.ts`,
    find: 'and sid is null and expires > clock_timestamp() returning 1',
    replace: 'and sid is null returning 1',
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'a code is redeemed twice in parallel',
    file: `${STORE}/authorization-code-store.ts`,
    find: 'and sid is null and expires > clock_timestamp() returning 1',
    replace: 'and expires > clock_timestamp() returning 1',
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'a refresh token of one program works for another',
    file: `${USE_CASES}/refresh-tokens.ts`,
    find: 'if ((holder.oauthClient ?? undefined) !== input.oauthClient)',
    replace: 'if (holder.oauthClient === input.refreshToken)',
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'a refresh token that is used twice does not end its session',
    file: `${STORE}/refresh-token-store.ts`,
    find: "revoke_reason = 'refresh token reused' where tenant_id = $1 and sid = $2",
    replace: "revoke_reason = 'refresh token reused' where tenant_id = $1 and sid = $2 and revoked_at is not null",
    tests: [`${API_TESTS}/refresh.test.ts`],
  },
  {
    name: 'an old refresh token returns tokens long after it was exchanged',
    file: `${STORE}/refresh-token-store.ts`,
    find: "token.state === 'previous' && token.withinGrace === true && token.replay !== null",
    replace: "token.state === 'previous' && token.replay !== null",
    tests: [`${API_TESTS}/refresh.test.ts`],
  },
  {
    name: 'a refresh goes on after a logout',
    file: `${STORE}/refresh-token-store.ts`,
    find: "} and t.state = 'active'",
    replace: "} or t.state = 'active'",
    tests: [RACES],
  },
  {
    name: 'one program ends the session of another',
    file: `${USE_CASES}/revoke-program-token.ts`,
    find: 'if (holder.oauthClient !== oauthClient)',
    replace: "if (oauthClient === '')",
    tests: [`${API_TESTS}/oauth-token.test.ts`],
  },
  {
    name: 'another page approves a program with the session of the user',
    file: `${ROUTES}/authorize.ts`,
    find: 'requireOwnOrigin(request);',
    replace: '',
    tests: [`${API_TESTS}/oauth-authorize.test.ts`],
  },
  {
    name: 'a user approves a program for the account of another one who signed in meanwhile',
    file: `${ROUTES}/authorize.ts`,
    find: 'if (account !== session.account.id) return ask(request, step);',
    replace: "if (account === '') return ask(request, step);",
    tests: [`${API_TESTS}/oauth-authorize.test.ts`],
  },
  {
    name: 'a denied device gets tokens',
    file: `${STORE}/device-authorization-store.ts`,
    find: "if (row.decision === 'denied') return { kind: 'denied' };",
    replace: '',
    tests: [`${API_TESTS}/oauth-device.test.ts`],
  },
  {
    name: 'an expired device code is redeemed',
    file: `${STORE}/device-authorization-store.ts`,
    find: "if (row.isExpired) return { kind: 'expired' };",
    replace: '',
    tests: [`${API_TESTS}/oauth-device.test.ts`],
  },
  {
    name: 'user codes are guessed without limit',
    file: `${USE_CASES}/decide-device-login.ts`,
    find: 'await throttles.countFailure(tenant.id, [key], { policy: THROTTLE_POLICY });',
    replace: '',
    tests: [`${API_TESTS}/oauth-device.test.ts`],
  },
  {
    name: 'a program keeps its access after the session of its consent has ended',
    file: `${STORE}/insert-session.ts`,
    find: 'and account_id = $3 and revoked_at is null and expires > clock_timestamp() for share',
    replace: 'and account_id = $3 for share',
    tests: [RACES],
  },
];

const PROVIDERS = [
  {
    name: 'a provider that says `email_verified: "false"` links to an account',
    file: `${AUTH}/oidc-client/identity-claims.ts`,
    find: "if (value === true || value === 'true') return true;",
    replace: 'if (value) return true;',
    tests: [`${AUTH}/oidc-client/identity-claims.test.ts`],
  },
  {
    name: 'a login at a provider ends in another browser than the one that began it',
    file: `${STORE}/login-transaction-store.ts`,
    find: 'delete from login_transactions where tenant_id = $1 and state_hash = $2 and cookie_hash = $3',
    replace: 'delete from login_transactions where tenant_id = $1 and state_hash = $2 and $3::bytea is not null',
    tests: [`${STORE}/login-transaction-store.test.ts`, `${API_TESTS}/single-sign-on-refused.test.ts`],
  },
  {
    name: "an administrator's account is linked without its password",
    file: `${USE_CASES}/admit-identity.ts`,
    find: 'login.confirmedUserId !== user.id && (await isAdmin(tx, user))',
    replace: 'login.confirmedUserId === user.id && (await isAdmin(tx, user))',
    tests: [`${API_TESTS}/single-sign-on-linking.test.ts`, `${USE_CASES}/admit-identity.test.ts`],
  },
  {
    name: 'the password of one account links another one',
    file: `${USE_CASES}/confirm-link.ts`,
    find: 'if (account.id !== link.user.id)',
    replace: "if (account.id === '')",
    tests: [`${USE_CASES}/confirm-link.test.ts`],
  },
  {
    name: 'a tenant makes the host call the metadata service of the cloud',
    file: `${AUTH}/oidc-client/private-address.ts`,
    find: "['169.254.0.0', 16],",
    replace: '',
    tests: [`${AUTH}/oidc-client/private-address.test.ts`],
  },
  {
    name: 'a page of another site reads the tokens of a session',
    file: `${ROUTES}/session-tokens.ts`,
    find: 'requireOwnOrigin(request);',
    replace: '',
    tests: [`${API_TESTS}/sign-in.test.ts`, `${API_TESTS}/logout.test.ts`],
  },
  {
    name: 'a login leads to its own logout',
    file: `${USE_CASES}/check-return-to.ts`,
    find: 'if (isOwn && isLogout(url)) throw invalidReturnTo();',
    replace: '',
    tests: [`${USE_CASES}/check-return-to.test.ts`],
  },
];

export const AUTH_MUTANTS = [...TOKENS, ...SECRETS, ...PROGRAMS, ...PROVIDERS];
