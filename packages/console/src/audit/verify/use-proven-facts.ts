import { useTranslation } from '../../i18n/translate.tsx';
import type { Fact } from './fact-table.tsx';
import type { Verification } from './use-verification.ts';

/** Result of a verification without a finding. */
interface Proof {
  readonly facts: readonly Fact[];
  /** Paragraph about what is not proven. */
  readonly unproven: string;
}

/** Returns what a verification without a finding proves, fact by fact, and what it does not. */
export function useProvenFacts({ verdict, range, saved, checkpoint }: Verification): Proof {
  const { t, formatTime } = useTranslation();
  const { manifest, latest, records, wrongTimes, setAside } = verdict;
  if (manifest === undefined) return { facts: [], unproven: '' };
  const { first, last, issued_ts: issuedMs } = manifest;
  const start = formatTime(Math.max(range.start, manifest.visible_from));
  const end = formatTime(Math.min(range.end, issuedMs));
  const hasRecords = first !== null && last !== null;
  const fact = (id: Fact['id'], value: string, isWarning = false): Fact => ({
    id,
    name: t(`audit.verify.fact.${id}`),
    value,
    isWarning,
  });
  const facts = [
    fact('time', t('audit.verify.proven.time', { start, end })),
    fact(
      'records',
      hasRecords
        ? t('audit.verify.proven.records', { count: records, first, last })
        : t('audit.verify.proven.records.none'),
    ),
  ];
  if (hasRecords) {
    facts.push(
      fact('changes', t('audit.verify.proven.changes.none')),
      fact(
        'beginning',
        first === 1
          ? t('audit.verify.proven.first')
          : t('audit.verify.proven.continues', { first, previous: first - 1 }),
      ),
    );
  }
  if (checkpoint !== undefined && latest !== undefined) {
    const values = { number: checkpoint.number, time: formatTime(checkpoint.issuedMs), key: latest.keyId };
    facts.push(fact('signature', t('audit.verify.proven.signed', values)));
  }
  if (manifest.visible_from > range.start) facts.push(fact('retention', t('audit.verify.proven.retention', { start })));
  if (saved === undefined) facts.push(fact('end', t('audit.verify.unproven.end')));
  else {
    const values = { number: saved.number, time: formatTime(saved.issuedMs) };
    const isEarlier = first !== null && saved.sequence < first;
    const sentences = [
      t('audit.verify.proven.saved', values),
      ...(isEarlier ? [t('audit.verify.proven.saved.before', values)] : []),
    ];
    facts.push(fact('end', sentences.join(' ')));
  }
  if (wrongTimes !== undefined) {
    const { sequence, timeMs } = wrongTimes.first;
    const values = { count: wrongTimes.count, sequence, time: formatTime(timeMs) };
    facts.push(fact('wrong-times', t('audit.verify.wrong-times', values), true));
  }
  if (setAside !== undefined) {
    const values = { count: setAside.count, sequence: setAside.first[0]?.sequence ?? '' };
    facts.push(fact('set-aside', t('audit.verify.set-aside', values), true));
  }
  return {
    facts,
    unproven: [t('audit.verify.unproven', { time: formatTime(issuedMs) }), t('audit.verify.unproven.host')].join(' '),
  };
}
