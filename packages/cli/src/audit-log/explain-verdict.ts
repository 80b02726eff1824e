import type { EvidenceManifest, ExportPayload, Finding } from '@sluice/audit/verify';
import { formatCount } from '../output/quantity.ts';
import { formatTime } from '../times/time.ts';
import type { AuditVerdict } from './verify-file.ts';

const HAPPENED: Readonly<Record<Finding['kind'], string>> = {
  altered: 'was altered',
  missing: 'is missing',
  inserted: 'was added',
  reordered: 'was moved',
};

const recordsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'record' : 'records'}`;

function beforeText(records: number): string {
  if (records === 0) return '';
  return records === 1
    ? ' The record before it is as it was sealed.'
    : ` The ${recordsText(records)} before it are as they were sealed.`;
}

/** Returns a sentence that says which part of a file is not what was sealed. */
export function describeFinding(file: string, { finding, records }: AuditVerdict): string | undefined {
  if (finding === undefined) return undefined;
  const { kind, sequence, recordId, checkpoint, member, reason } = finding;
  const positions = [
    ...(sequence === undefined ? [] : [`record ${sequence}`]),
    ...(recordId === undefined ? [] : [`id ${recordId}`]),
    ...(checkpoint === undefined ? [] : [`checkpoint ${checkpoint}`]),
    ...(member === undefined ? [] : [`in ${member}`]),
  ];
  const position = positions.length === 0 ? 'a part of it' : positions.join(', ');
  return `${file} is not what was sealed: ${position} ${HAPPENED[kind]}. ${reason}${beforeText(records)}`;
}

/** Returns one line for a file in which nothing was found. */
export const describeWhole = (file: string, { records, checkpoints, kind }: AuditVerdict): string =>
  `${file}: ${recordsText(records)}${kind === 'package' ? ` and ${formatCount(checkpoints)} checkpoints` : ''} as they were sealed.`;

const isPackage = (signed: ExportPayload | EvidenceManifest): signed is EvidenceManifest => signed.kind === 'evidence';

function describeContent(signed: ExportPayload | EvidenceManifest): string {
  if (isPackage(signed)) {
    const range = `from ${formatTime(signed.start)} until ${formatTime(signed.end)}`;
    if (signed.first === null) return `The log had no record ${range}.`;
    return `It has every record from ${signed.first} to ${signed.last}, which covers ${range}.`;
  }
  const { filter, records, from, head } = signed;
  if (records === 0) return 'The host found no record.';
  if (Object.keys(filter).length > 0)
    return `It has the ${recordsText(records)} that the host found for ${JSON.stringify(filter)}.`;
  return `It has every record from ${from} to ${head.sequence}, the end of the log at that time.`;
}

/** Returns one paragraph that says what a verdict proves and what it does not. */
export function explainWhole({ signed, setAside }: AuditVerdict, keysFrom: 'file' | 'host'): string {
  if (signed === undefined) return '';
  const isFiltered = !isPackage(signed) && Object.keys(signed.filter).length > 0;
  const who = isPackage(signed) ? signed.tenant : signed.tenant_id;
  const condition =
    keysFrom === 'file'
      ? "if the keys in your file are the operator's"
      : "if the keys that the host publishes are the operator's (--keys takes those that the operator handed you)";
  return [
    `Proven, ${condition}: a host signed this at ${formatTime(signed.issued_ts)} for tenant ${who}.`,
    describeContent(signed),
    'None of them was changed, removed, added or moved since it was sealed.',
    ...setAside,
    'Not proven: that what a record says is true, what happened later,',
    ...(isFiltered ? ['that the host found every record that matches,'] : []),
    'and that the newest records were not deleted together with their checkpoints before this was made;',
    'for that, compare it with a checkpoint that is stored elsewhere.',
  ].join(' ');
}
