/**
 * Sentences of errors that people read on the pages of sign-in, invitation and link. `{name}` stands for a value. The API host has each of
 * them in the other languages of these pages.
 */
export const SIGN_IN_SENTENCES = {
  wrong_password: 'The e-mail or the password is wrong.',
  too_many_failures: 'Too many failed attempts. Try again in {seconds} s.',
  too_many_logins: 'Too many logins are being checked. Try again in a moment.',
  too_many_passwords: 'Too many passwords are being checked. Try again in a moment.',
  account_disabled: 'This account is disabled. Ask an admin of the tenant.',
  account_cannot_log_in: 'This account cannot log in. Ask an admin of the tenant.',
  provider_unavailable: 'The identity provider is unavailable or returned an invalid response. Try again in a moment.',
  provider_misconfigured:
    'The identity provider rejects this service ({error}). An admin of the tenant must correct its client id or secret.',
  provider_rejected: 'The identity provider rejected the login ({error}).',
  provider_rejected_code: 'The identity provider rejected the login ({error}). Log in again.',
  provider_not_verified: 'The response of the identity provider failed verification. Log in again.',
  provider_subject_invalid: 'The identity provider sent an invalid subject (`sub`).',
  login_unknown: 'This login is unknown, used, older than ten minutes, or of another browser. Begin again at {path}.',
  link_unknown: 'This form is unknown, used, older than ten minutes, or of another browser. Begin again at {path}.',
  test_login_unknown:
    'This test login is unknown, used or older than ten minutes. Begin another one in the administration of the tenant.',
  email_missing: 'The identity provider sent no e-mail in the claim {claim}.',
  email_not_verified: 'The identity provider reports that the e-mail is not verified.',
  email_domain_not_allowed: 'The e-mail domain {domain} is not allowed in this tenant. Ask the operator to allow it.',
  email_of_other_account:
    'This e-mail has an account here, and the identity provider does not report it as verified (email_verified). Ask an admin of the tenant.',
  user_unknown: 'There is no user {email} in {tenant}. Ask an admin of the tenant to create one.',
  user_being_created: 'Another request is creating this user. Log in again.',
  account_of_other_identity:
    'This account is linked to another identity of the identity provider. Ask an admin of the tenant.',
  no_admin_left:
    'With the groups that the identity provider sent, the tenant would have no admin left. Ask to be added to the group of its admins.',
  link_needs_password:
    '{email} administers this tenant: its link to single sign-on must be confirmed with its password here, or by another admin ' +
    '({operation} with the subject {subject}).',
  invitation_unknown: 'This invitation is unknown, used or expired. Ask for a new one.',
  user_exists: 'A user with this e-mail already exists. Log in, or use another e-mail.',
  email_required: 'Enter your e-mail: the invitation has none.',
  email_not_invited: 'This is not the e-mail that was invited.',
  program_unknown: 'There is no program {client} here. Check the address, or update the program that opened it.',
  program_document_invalid: 'The document at {client} does not describe a program that can log in: {reason}.',
  program_document_unavailable:
    'The document at {client}, which describes the program, could not be read. Try again later.',
  program_request_refused:
    'The program {client} sent a request that is refused ({error}). No admin has registered it, so nothing was sent to it.',
  login_needed: 'The program {client} wants no page to be shown, but you are not signed in.',
  redirect_uri_unknown:
    'The program {client} wants the response at an address that is not registered for it, so nothing was sent there.',
  request_too_long: 'The request of the program {client} is too long. It has to send a shorter state.',
  user_code_unknown: 'This code is wrong, used or older than ten minutes. Check it, or begin again on the device.',
  external_login_over:
    'This login is wrong, decided or older than five minutes. Connect again in your program, which begins a new one.',
} as const;

/** Name of a sentence of the pages of sign-in. */
export type SignInSentence = keyof typeof SIGN_IN_SENTENCES;

/** A sentence of the pages of sign-in, with its values. */
export interface SentenceWithValues {
  readonly name: SignInSentence;
  readonly values: Readonly<Record<string, string>>;
}

/** Replaces the placeholders of a sentence. */
export const writeSentence = (sentence: string, values: SentenceWithValues['values']): string =>
  sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
