import { describe, expect, it } from '@jest/globals';
import { describeUserAgent } from './describe-user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('describeUserAgent', () => {
  it.each([
    ['Firefox', 'Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    ['Chrome', 'Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`],
    ['Chrome', 'Linux', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/126.0.0.0 Safari/537.36`],
    ['Edge', 'Windows', `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`],
    ['Opera', 'macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/126 Safari/537.36 OPR/112`],
    [
      'Safari',
      'macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
    ],
    ['Safari', 'iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1'],
    ['Chrome', 'Android', `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`],
    ['curl', null, 'curl/8.5.0'],
    ['python-requests', null, 'python-requests/2.32.3'],
    ['node', null, 'node'],
    [null, 'Windows', 'Mozilla/5.0 (Windows NT 10.0)'],
    [null, null, ''],
    [null, null, null],
  ])('names %s on %s', (name, system, header) => {
    expect(describeUserAgent(header)).toEqual({ name, system });
  });

  it('cuts a product that is as long as the header may be', () => {
    expect(describeUserAgent('x'.repeat(256)).name).toHaveLength(40);
  });
});
