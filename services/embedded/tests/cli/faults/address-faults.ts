import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { reservePort } from '@sluice/testkit';
import { selfSigned } from '../../../../../packages/engine/testing/self-signed.ts';
import type { FaultCase } from './fault-case.ts';

/** Addresses where no host can be used. */
export interface BadAddresses extends AsyncDisposable {
  /** A port that refuses connections. */
  readonly refused: string;
  /** A server whose certificate no authority has signed. */
  readonly untrusted: string;
  /** A server without TLS, addressed with https. */
  readonly withoutTls: string;
}

/** Starts the servers behind the addresses. `hostUrl` is a host without TLS. */
export async function startBadAddresses(hostUrl: string): Promise<BadAddresses> {
  const { certificate: cert, key } = selfSigned('elsewhere');
  const server = createServer({ key, cert }, (_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    refused: `http://127.0.0.1:${await reservePort()}`,
    untrusted: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    withoutTls: hostUrl.replace('http:', 'https:'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SENTENCES = {
  unknown: 'acme-stream\\.invalid was not found in DNS\\. Check the name and the network\\.',
  refused: '127\\.0\\.0\\.1:\\d+ refused the connection\\. Check the port, and that the host is running\\.',
  untrusted:
    'The certificate of 127\\.0\\.0\\.1:\\d+ is signed by an authority that is not trusted here\\. Set NODE_EXTRA_CA_CERTS to .*\\.',
  withoutTls:
    '127\\.0\\.0\\.1:\\d+ did not answer with TLS\\. Check the port, and whether the URL must begin with http\\.',
} as const;

/** Hosts that are not there, or whose TLS fails. */
export function addressFaults(
  base: Pick<FaultCase, 'target' | 'words' | 'file'>,
  { refused, untrusted, withoutTls }: BadAddresses,
): FaultCase[] {
  const at = (fault: string, sentence: keyof typeof SENTENCES, env: Readonly<Record<string, string>>): FaultCase => ({
    ...base,
    fault,
    env,
    exitCode: 1,
    message: new RegExp(
      `^error: ${SENTENCES[sentence]}${base.file === undefined ? '' : ' out\\.file was not written\\.'}$`,
    ),
    leaves: 'nothing',
  });
  return [
    at('DNS failure', 'unknown', { SLUICE_STREAM_URL: 'http://acme-stream.invalid' }),
    at('refused connection', 'refused', { SLUICE_STREAM_URL: refused }),
    at('refused login', 'refused', { SLUICE_API_URL: refused }),
    at('untrusted certificate', 'untrusted', { SLUICE_STREAM_URL: untrusted }),
    at('no TLS', 'withoutTls', { SLUICE_STREAM_URL: withoutTls }),
  ];
}
