import type { PageLanguage } from '@sluice/http';

interface SignInMessages {
  readonly signInTo: (tenant: string) => string;
  readonly email: string;
  readonly password: string;
  readonly signIn: string;
  readonly withProvider: (tenant: string) => string;
  readonly withPassword: string;
  readonly tryAgain: string;
  readonly requestId: string;
  readonly signedIn: string;
  readonly youAreSignedIn: string;
  readonly openConsole: string;
  readonly welcomeTo: (tenant: string) => string;
  readonly invited: (email: string) => string;
  readonly newPassword: string;
  readonly setPassword: string;
  readonly passwordIsSet: (email: string) => string;
  readonly localPassword: string;
  readonly linkAccount: string;
  readonly signOutOf: (tenant: string) => string;
  readonly otherSite: string;
  readonly signOut: string;
  readonly stay: string;
  readonly signedOutOf: (tenant: string) => string;
  readonly youAreSignedOut: string;
  readonly signInAgain: string;
}

/**
 * Messages of the pages of sign-in, invitation, link and sign-out. Sentences of errors are in problem-sentence.ts.
 */
export const SIGN_IN_MESSAGES: Readonly<Record<PageLanguage, SignInMessages>> = {
  en: {
    signInTo: (tenant) => `Sign in to ${tenant}`,
    email: 'E-mail',
    password: 'Password',
    signIn: 'Sign in',
    withProvider: (tenant) => `Sign in with ${tenant}’s provider`,
    withPassword: 'Sign in with a password',
    tryAgain: 'Try again',
    requestId: 'Request ID',
    signedIn: 'Signed in',
    youAreSignedIn: 'You are signed in.',
    openConsole: 'Open the console',
    welcomeTo: (tenant) => `Welcome to ${tenant}`,
    invited: (email) => `for ${email}`,
    newPassword: 'New password (12 characters or more)',
    setPassword: 'Set the password',
    passwordIsSet: (email) => `The password of ${email} is set.`,
    localPassword: 'Password here, not at the identity provider',
    linkAccount: 'Link the account',
    signOutOf: (tenant) => `Sign out of ${tenant}?`,
    otherSite: 'Another site sent you here. Signing out also stops your running queries.',
    signOut: 'Sign out',
    stay: 'Stay signed in',
    signedOutOf: (tenant) => `Signed out of ${tenant}`,
    youAreSignedOut: 'You are signed out.',
    signInAgain: 'Sign in again',
  },
  de: {
    signInTo: (tenant) => `Bei ${tenant} anmelden`,
    email: 'E-Mail',
    password: 'Passwort',
    signIn: 'Anmelden',
    withProvider: (tenant) => `Über den Identitätsanbieter von ${tenant} anmelden`,
    withPassword: 'Mit Passwort anmelden',
    tryAgain: 'Noch einmal versuchen',
    requestId: 'ID der Anfrage',
    signedIn: 'Angemeldet',
    youAreSignedIn: 'Sie sind angemeldet.',
    openConsole: 'Konsole öffnen',
    welcomeTo: (tenant) => `Willkommen bei ${tenant}`,
    invited: (email) => `für ${email}`,
    newPassword: 'Neues Passwort (mindestens 12 Zeichen)',
    setPassword: 'Passwort setzen',
    passwordIsSet: (email) => `Das Passwort von ${email} ist gesetzt.`,
    localPassword: 'Passwort hier, nicht das beim Identitätsanbieter',
    linkAccount: 'Konto verbinden',
    signOutOf: (tenant) => `Von ${tenant} abmelden?`,
    otherSite: 'Eine andere Website hat Sie hierher geleitet. Beim Abmelden enden auch Ihre laufenden Abfragen.',
    signOut: 'Abmelden',
    stay: 'Angemeldet bleiben',
    signedOutOf: (tenant) => `Von ${tenant} abgemeldet`,
    youAreSignedOut: 'Sie sind abgemeldet.',
    signInAgain: 'Wieder anmelden',
  },
  fr: {
    signInTo: (tenant) => `Se connecter à ${tenant}`,
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    withProvider: (tenant) => `Se connecter avec le fournisseur d’identité de ${tenant}`,
    withPassword: 'Se connecter avec un mot de passe',
    tryAgain: 'Réessayer',
    requestId: 'ID de la requête',
    signedIn: 'Connecté',
    youAreSignedIn: 'Vous êtes connecté.',
    openConsole: 'Ouvrir la console',
    welcomeTo: (tenant) => `Bienvenue chez ${tenant}`,
    invited: (email) => `pour ${email}`,
    newPassword: 'Nouveau mot de passe (12 caractères ou plus)',
    setPassword: 'Définir le mot de passe',
    passwordIsSet: (email) => `Le mot de passe de ${email} est défini.`,
    localPassword: 'Mot de passe d’ici, pas celui du fournisseur d’identité',
    linkAccount: 'Associer le compte',
    signOutOf: (tenant) => `Se déconnecter de ${tenant} ?`,
    otherSite: 'Un autre site vous a envoyé ici. La déconnexion arrête aussi vos requêtes en cours.',
    signOut: 'Se déconnecter',
    stay: 'Rester connecté',
    signedOutOf: (tenant) => `Déconnecté de ${tenant}`,
    youAreSignedOut: 'Vous êtes déconnecté.',
    signInAgain: 'Se reconnecter',
  },
  es: {
    signInTo: (tenant) => `Iniciar sesión en ${tenant}`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    signIn: 'Iniciar sesión',
    withProvider: (tenant) => `Iniciar sesión con el proveedor de identidad de ${tenant}`,
    withPassword: 'Iniciar sesión con una contraseña',
    tryAgain: 'Intentar de nuevo',
    requestId: 'ID de la solicitud',
    signedIn: 'Sesión iniciada',
    youAreSignedIn: 'Ha iniciado sesión.',
    openConsole: 'Abrir la consola',
    welcomeTo: (tenant) => `Le damos la bienvenida a ${tenant}`,
    invited: (email) => `para ${email}`,
    newPassword: 'Nueva contraseña (12 caracteres o más)',
    setPassword: 'Establecer la contraseña',
    passwordIsSet: (email) => `La contraseña de ${email} está establecida.`,
    localPassword: 'Contraseña de aquí, no la del proveedor de identidad',
    linkAccount: 'Vincular la cuenta',
    signOutOf: (tenant) => `¿Cerrar la sesión de ${tenant}?`,
    otherSite: 'Otro sitio le ha traído aquí. Al cerrar la sesión también se detienen sus consultas en curso.',
    signOut: 'Cerrar sesión',
    stay: 'Mantener la sesión',
    signedOutOf: (tenant) => `Sesión de ${tenant} cerrada`,
    youAreSignedOut: 'Ha cerrado la sesión.',
    signInAgain: 'Iniciar sesión de nuevo',
  },
};
