import { type ProblemError, signInProblem } from '@sluice/contract';

export type EmailDomains = readonly string[] | null;

/** Returns the domain of an e-mail, which must be in lower case. */
export const emailDomainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Returns whether the operator allows new users with this e-mail. A subdomain of an allowed domain is not allowed by it. */
export const isAllowedEmail = (domains: EmailDomains, email: string): boolean =>
  domains === null || domains.includes(emailDomainOf(email));

/** `path` is the location of the e-mail in the request. */
export const emailDomainProblem = (email: string, path = 'body.email'): ProblemError => {
  const values = { domain: emailDomainOf(email) };
  const { message } = signInProblem('invalid_request', 'email_domain_not_allowed', { values });
  return signInProblem('invalid_request', 'email_domain_not_allowed', { values, details: [{ path, message }] });
};
