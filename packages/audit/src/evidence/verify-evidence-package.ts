import type { TrustedKeys } from '../trusted-keys.ts';
import { EvidenceFile } from './evidence-file.ts';
import { type EvidenceVerdict, rejectUnreadable, verifyEvidence } from './verify-evidence.ts';

interface PackageToVerify {
  readonly path: string;
  readonly keys: TrustedKeys;
}

/** Verifies the file of an evidence package. Throws the error of the file system if it cannot be read. */
export async function verifyEvidencePackage({ path, keys }: PackageToVerify): Promise<EvidenceVerdict> {
  try {
    await using source = await EvidenceFile.open(path);
    return await verifyEvidence({ source, keys });
  } catch (thrown) {
    return rejectUnreadable(thrown);
  }
}
