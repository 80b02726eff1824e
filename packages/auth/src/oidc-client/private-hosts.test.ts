import { describe, expect, it } from '@jest/globals';
import { privateHosts } from './private-hosts.ts';

const allows = (entry: string, url: string): boolean => privateHosts([entry])(new URL(url));

describe('an entry of SSO_PRIVATE_HOSTS', () => {
  it.each([
    ['idp.internal', 'https://idp.internal/realms/acme'],
    ['IDP.internal', 'https://idp.INTERNAL'],
    ['localhost', 'http://localhost'],
    ['idp.internal:8443', 'https://idp.internal:8443'],
    ['127.0.0.1:8082', 'http://127.0.0.1:8082'],
    ['127.0.0.1:*', 'http://127.0.0.1:40123'],
    ['fd00::8:443', 'https://[fd00::8:443]'],
    ['[fd00::8]', 'https://[fd00::8]'],
    ['[fd00::8]:8443', 'https://[fd00::8]:8443'],
  ])('%s allows %s', (entry, url) => {
    expect(allows(entry, url)).toBe(true);
  });

  it.each([
    ['idp.internal', 'https://idp.internal:8443'],
    ['127.0.0.1', 'http://127.0.0.1:5432'],
    ['idp.internal:8443', 'https://idp.internal'],
    ['idp.internal:8443', 'https://idp.internal:84'],
    ['idp.internal', 'https://other.internal'],
    ['fd00::8', 'https://[fd00::8]:8443'],
    ['fd00::8:443', 'https://[fd00::8]'],
    ['[fd00::8]:8443', 'https://[fd00::8]'],
  ])('%s does not allow %s', (entry, url) => {
    expect(allows(entry, url)).toBe(false);
  });
});
