import { z } from 'zod';
import { listOf } from '../fields/list-of.ts';

const DOMAINS_MAX = 100;
const DOMAIN_CHARACTERS_MAX = 253;
/** RFC 1123 section 2.1. An internationalized name is written as A-labels (RFC 5890). */
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Domain of e-mail addresses, in lower case. */
const emailDomain = z
  .string({ error: 'an e-mail domain must be a string' })
  .overwrite((text) => (text.length > DOMAIN_CHARACTERS_MAX ? text : text.toLowerCase()))
  .refine(
    (text) => text.length <= DOMAIN_CHARACTERS_MAX && DOMAIN.test(text),
    'an e-mail domain must be a host name such as example.org',
  )
  .meta({ pattern: DOMAIN.source.replaceAll('a-z', 'A-Za-z'), maxLength: DOMAIN_CHARACTERS_MAX });

/** List of domains, or null. Duplicates are dropped; case is ignored. */
export const emailDomains = listOf(emailDomain, { error: 'email_domains must be a list of domains, or null' })
  .min(1, 'email_domains must have at least one domain; null allows any')
  .max(DOMAINS_MAX, `email_domains must have at most ${DOMAINS_MAX} domains`)
  .overwrite((domains) => [...new Set(domains)])
  .nullable()
  .describe('E-mail domains allowed for new users. Subdomains are not included; null allows any');
