import type { PageLanguage } from '@sluice/http';

interface ProviderMessages {
  readonly title: string;
  readonly replaces: string;
  readonly signInAs: string;
  readonly passwordOfEach: string;
  readonly orWithPassword: string;
  readonly email: string;
  readonly password: string;
  readonly signIn: string;
  readonly wrong: string;
  readonly expired: string;
  readonly signOutToo: string;
  readonly signOut: string;
  readonly signedOut: string;
  /** Descriptions of accounts, by the role that describes them. */
  readonly about: Readonly<Record<'admin' | 'steward' | 'auditor' | 'analyst' | 'newcomer', string>>;
}

/** Messages of the pages of the development identity provider. */
export const PROVIDER_MESSAGES: Readonly<Record<PageLanguage, ProviderMessages>> = {
  en: {
    title: 'Development identity provider',
    replaces: 'It replaces your company’s single sign-on, on this machine only.',
    signInAs: 'Sign in as',
    passwordOfEach: 'The password of each is',
    orWithPassword: 'Or with an e-mail and a password',
    email: 'E-mail',
    password: 'Password',
    signIn: 'Sign in',
    wrong: 'The e-mail or the password is wrong.',
    expired: 'This login has expired. Go back to the application and log in again.',
    signOutToo: 'Sign out here too?',
    signOut: 'Sign out',
    signedOut: 'You are signed out.',
    about: {
      admin: 'administers the tenant',
      steward: 'describes tables and publishes datamaps',
      auditor: 'reads the audit log',
      analyst: 'runs queries',
      newcomer: 'becomes a user at the first sign-in',
    },
  },
  de: {
    title: 'Identitätsanbieter zum Entwickeln',
    replaces: 'Er ersetzt die zentrale Anmeldung Ihrer Firma, nur auf diesem Rechner.',
    signInAs: 'Anmelden als',
    passwordOfEach: 'Das Passwort von allen ist',
    orWithPassword: 'Oder mit E-Mail und Passwort',
    email: 'E-Mail',
    password: 'Passwort',
    signIn: 'Anmelden',
    wrong: 'E-Mail oder Passwort ist falsch.',
    expired: 'Diese Anmeldung ist abgelaufen. Gehen Sie zurück zur Anwendung, und melden Sie sich neu an.',
    signOutToo: 'Auch hier abmelden?',
    signOut: 'Abmelden',
    signedOut: 'Sie sind abgemeldet.',
    about: {
      admin: 'verwaltet den Mandanten',
      steward: 'beschreibt Tabellen und veröffentlicht Datamaps',
      auditor: 'liest das Audit-Log',
      analyst: 'führt Abfragen aus',
      newcomer: 'wird mit der ersten Anmeldung Benutzer',
    },
  },
  fr: {
    title: 'Fournisseur d’identité de développement',
    replaces: 'Il remplace l’authentification unique de votre entreprise, sur cette machine seulement.',
    signInAs: 'Se connecter en tant que',
    passwordOfEach: 'Leur mot de passe à tous est',
    orWithPassword: 'Ou avec une adresse e-mail et un mot de passe',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    wrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
    expired: 'Cette connexion a expiré. Revenez à l’application et reconnectez-vous.',
    signOutToo: 'Se déconnecter ici aussi ?',
    signOut: 'Se déconnecter',
    signedOut: 'Vous êtes déconnecté.',
    about: {
      admin: 'administre le locataire',
      steward: 'décrit les tables et publie des datamaps',
      auditor: 'lit le journal d’audit',
      analyst: 'exécute des requêtes',
      newcomer: 'devient utilisateur à la première connexion',
    },
  },
  es: {
    title: 'Proveedor de identidad de desarrollo',
    replaces: 'Sustituye el inicio de sesión único de su empresa, solo en este equipo.',
    signInAs: 'Iniciar sesión como',
    passwordOfEach: 'La contraseña de todos es',
    orWithPassword: 'O con un correo electrónico y una contraseña',
    email: 'Correo electrónico',
    password: 'Contraseña',
    signIn: 'Iniciar sesión',
    wrong: 'El correo electrónico o la contraseña no son correctos.',
    expired: 'Este inicio de sesión ha caducado. Vuelva a la aplicación e inicie sesión de nuevo.',
    signOutToo: '¿Cerrar la sesión también aquí?',
    signOut: 'Cerrar sesión',
    signedOut: 'Ha cerrado la sesión.',
    about: {
      admin: 'administra el inquilino',
      steward: 'describe tablas y publica datamaps',
      auditor: 'lee el registro de auditoría',
      analyst: 'ejecuta consultas',
      newcomer: 'se convierte en usuario al iniciar sesión por primera vez',
    },
  },
};
