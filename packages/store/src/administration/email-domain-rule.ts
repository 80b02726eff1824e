import { ProblemError } from '@sluice/contract';

export type EmailDomains = readonly string[] | null;

/** `email` must be in lower case. */
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Returns whether the operator allows new users with this e-mail. A subdomain of an allowed domain is not allowed by it. */
export const isAllowedEmail = (domains: EmailDomains, email: string): boolean =>
  domains === null || domains.includes(domainOf(email));

/** Message for a caller whose e-mail is not allowed. */
export const emailDomainMessage = (email: string): string =>
  `The e-mail domain ${domainOf(email)} is not allowed in this tenant. Ask the operator to allow it.`;

/** `path` is the location of the e-mail in the request. */
export const emailDomainProblem = (email: string, path = 'body.email'): ProblemError => {
  const message = emailDomainMessage(email);
  return new ProblemError('invalid_request', message, { details: [{ path, message }] });
};
