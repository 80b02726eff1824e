import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  bits,
  explicit,
  implicit,
  integer,
  isTrue,
  objectIdentifier,
  octets,
  sequence,
  set,
  time,
  utf8,
} from './der.ts';

const DAY_MS = 86_400_000;
/** Less than the 825 days that Apple's clients accept. */
export const CERTIFICATE_LIFETIME_MS = 800 * DAY_MS;
/** The clock of another program may be behind. */
const BEFORE_MS = DAY_MS;

const OIDS = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

const ALGORITHM = sequence(objectIdentifier(OIDS.ecdsaWithSha256));
const NAME = sequence(set(sequence(objectIdentifier(OIDS.commonName), utf8('Sluice on this computer'))));
/** `localhost`, 127.0.0.1 and ::1 (RFC 5280 section 4.2.1.6). */
const NAMES = sequence(
  implicit(2, Buffer.from('localhost')),
  implicit(7, Buffer.of(127, 0, 0, 1)),
  implicit(7, Buffer.from([...new Uint8Array(15), 1])),
);

const extension = (oid: string, value: Uint8Array, isCritical = false): Buffer =>
  sequence(objectIdentifier(oid), ...(isCritical ? [isTrue()] : []), octets(value));

/** Not of an authority: a program that trusts this certificate trusts no other one that its key signs. */
const EXTENSIONS = sequence(
  extension(OIDS.basicConstraints, sequence(), true),
  extension(OIDS.keyUsage, bits(Buffer.of(0x80), 7), true),
  extension(OIDS.extKeyUsage, sequence(objectIdentifier(OIDS.serverAuth))),
  extension(OIDS.subjectAltName, NAMES),
);

/** Key and certificate of a server, both PEM. */
export interface ServerIdentity {
  readonly key: string;
  readonly certificate: string;
}

const pem = (label: string, der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
};

/**
 * Makes a key (P-256) and a certificate that it signs itself (RFC 5280), for the names of this computer. Node.js reads X.509 but writes none.
 */
export function makeServerIdentity(nowMs: number): ServerIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = [0x40 + ((randomBytes(1)[0] ?? 0) % 0x40), ...randomBytes(15)];
  const signed = sequence(
    explicit(0, integer(2)),
    integer(...serial),
    ALGORITHM,
    NAME,
    sequence(time(new Date(nowMs - BEFORE_MS)), time(new Date(nowMs + CERTIFICATE_LIFETIME_MS))),
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, EXTENSIONS),
  );
  const certificate = sequence(signed, ALGORITHM, bits(sign('sha256', signed, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem('CERTIFICATE', certificate),
  };
}
