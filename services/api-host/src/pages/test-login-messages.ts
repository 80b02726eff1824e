import type { PageLanguage } from '../request/page-language.ts';
import type { TestOutcome } from '../use-cases/identity/test-admission.ts';

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

/** Messages of the page of a test login. Why a login is rejected is the sentence of the error, which is English. */
export const TEST_LOGIN_MESSAGES: Readonly<Record<PageLanguage, TestLoginMessages>> = {
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
};
