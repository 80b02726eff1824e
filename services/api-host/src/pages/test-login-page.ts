import type { Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type RouteResponse } from '@sluice/http';
import { TOKEN_HEADERS } from '../request/token-headers.ts';
import type { TestedAdmission, TestOutcome } from '../use-cases/identity/test-admission.ts';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';

interface TestLoginMessages {
  readonly title: (tenant: string) => string;
  readonly groups: string;
  readonly roles: string;
  readonly none: string;
  readonly rolesNotSet: string;
  readonly claims: string;
  readonly end: string;
  readonly outcomes: Readonly<Record<Exclude<TestOutcome['kind'], 'rejected'>, (email: string) => string>>;
}

/** Messages of the page of a test login. Why a login is rejected is the sentence of the error. */
const TEST_LOGIN_MESSAGES: Readonly<Record<PageLanguage, TestLoginMessages>> = {
  en: {
    title: (tenant) => `Test login at ${tenant}`,
    groups: 'Groups',
    roles: 'Roles that they give',
    none: 'none',
    rolesNotSet: 'not set by the identity provider; admins of the tenant assign them',
    claims: 'Received claims',
    end: 'This was a test: no session was opened, and nothing was changed. You may close this page.',
    outcomes: {
      linked: (email) => `Signs in as ${email}.`,
      first: (email) => `Signs in as ${email}. The first sign-in links the account to this person.`,
      new: (email) => `Becomes the new user ${email}.`,
      unconfirmed: (email) =>
        `Signs in as ${email}, who administers the tenant. The first sign-in asks for the password here, or another admin links the account.`,
    },
  },
  de: {
    title: (tenant) => `Test-Anmeldung bei ${tenant}`,
    groups: 'Gruppen',
    roles: 'Rollen, die sie geben',
    none: 'keine',
    rolesNotSet: 'nicht vom Identitätsanbieter gesetzt; Administratoren des Mandanten vergeben sie',
    claims: 'Empfangene Angaben (Claims)',
    end: 'Das war ein Test: Niemand wurde angemeldet, und nichts wurde geändert. Sie können diese Seite schließen.',
    outcomes: {
      linked: (email) => `Meldet sich als ${email} an.`,
      first: (email) => `Meldet sich als ${email} an. Die erste Anmeldung verbindet das Konto mit dieser Person.`,
      new: (email) => `Wird der neue Benutzer ${email}.`,
      unconfirmed: (email) =>
        `Meldet sich als ${email} an, der den Mandanten verwaltet. Die erste Anmeldung fragt hier nach dem Passwort, oder ein anderer Administrator verbindet das Konto.`,
    },
  },
  fr: {
    title: (tenant) => `Connexion de test à ${tenant}`,
    groups: 'Groupes',
    roles: 'Rôles qu’ils donnent',
    none: 'aucun',
    rolesNotSet: 'non définis par le fournisseur d’identité ; les administrateurs du locataire les attribuent',
    claims: 'Déclarations reçues (claims)',
    end: 'C’était un test : aucune session n’a été ouverte et rien n’a été modifié. Vous pouvez fermer cette page.',
    outcomes: {
      linked: (email) => `Se connecte en tant que ${email}.`,
      first: (email) => `Se connecte en tant que ${email}. La première connexion associe le compte à cette personne.`,
      new: (email) => `Devient le nouvel utilisateur ${email}.`,
      unconfirmed: (email) =>
        `Se connecte en tant que ${email}, qui administre le locataire. La première connexion demande le mot de passe d’ici, ou un autre administrateur associe le compte.`,
    },
  },
  es: {
    title: (tenant) => `Inicio de sesión de prueba en ${tenant}`,
    groups: 'Grupos',
    roles: 'Roles que conceden',
    none: 'ninguno',
    rolesNotSet: 'no los establece el proveedor de identidad; los asignan los administradores del inquilino',
    claims: 'Datos recibidos (claims)',
    end: 'Era una prueba: no se ha abierto ninguna sesión ni se ha cambiado nada. Puede cerrar esta página.',
    outcomes: {
      linked: (email) => `Inicia sesión como ${email}.`,
      first: (email) => `Inicia sesión como ${email}. El primer inicio de sesión vincula la cuenta con esta persona.`,
      new: (email) => `Se convierte en el nuevo usuario ${email}.`,
      unconfirmed: (email) =>
        `Inicia sesión como ${email}, que administra el inquilino. El primer inicio de sesión pide la contraseña de aquí, u otro administrador vincula la cuenta.`,
    },
  },
};

/** Characters of a claim that the page shows. */
const CLAIM_CHARACTERS_MAX = 2000;

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > CLAIM_CHARACTERS_MAX ? `${text.slice(0, CLAIM_CHARACTERS_MAX)} …` : text;
};

/** Returns the page that shows the claims of a test login, and what a login with them would do. Only this browser gets it. */
export function testLoginPage({ name }: Tenant, tested: TestedAdmission, language: PageLanguage): RouteResponse {
  const messages = TEST_LOGIN_MESSAGES[language];
  const { outcome, roles, groups } = tested;
  const listOf = (names: readonly string[]): string => (names.length === 0 ? messages.none : names.join(', '));
  const facts: readonly (readonly [string, string])[] = [
    [messages.groups, listOf(groups)],
    [messages.roles, roles === undefined ? messages.rolesNotSet : listOf(roles)],
  ];
  const claims = Object.entries(tested.claims).map(([claim, value]) => [claim, textOf(value)] as const);
  const rows = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n');
  return page({
    status: 200,
    title: messages.title(name),
    language,
    // The address of the callback contains a code.
    headers: { ...TOKEN_HEADERS, 'referrer-policy': 'no-referrer' },
    body: `<p>${escapeHtml(
      outcome.kind === 'rejected'
        ? problemSentence(outcome.problem, language)
        : messages.outcomes[outcome.kind](outcome.email),
    )}</p>
<dl>${rows(facts)}</dl>
<h2>${messages.claims}</h2>
<dl>${rows(claims)}</dl>
<p>${messages.end}</p>`,
  });
}
