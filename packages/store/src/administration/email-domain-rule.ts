import { ProblemError } from '@sluice/contract';

export type EmailDomains = readonly string[] | null;

/** `email` in lower case. */
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Whether the operator allows new users with this e-mail. Subdomains of an allowed domain are other domains. */
export const isAllowedEmail = (domains: EmailDomains, email: string): boolean =>
  domains === null || domains.includes(domainOf(email));

/** The sentence for a caller whose e-mail is not allowed. */
export const emailDomainRefusal = (email: string): string =>
  `The e-mail domain ${domainOf(email)} is not allowed in this tenant. Ask the operator to allow it.`;

/** `path`: where in the request the e-mail is. */
export const emailDomainProblem = (email: string, path = 'body.email'): ProblemError => {
  const message = emailDomainRefusal(email);
  return new ProblemError('invalid_request', message, { details: [{ path, message }] });
};
