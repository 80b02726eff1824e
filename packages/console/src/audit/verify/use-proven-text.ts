import { useTranslation } from '../../i18n/translate.tsx';
import type { Verification } from './use-verification.ts';

/** Returns one paragraph that says what a verification without a finding proves, and what it does not. */
export function useProvenText({ verdict, range, saved, checkpoint }: Verification): string {
  const { t, formatTime } = useTranslation();
  const { manifest, latest, records } = verdict;
  if (manifest === undefined) return '';
  const { first, last, issued_ts: issuedMs } = manifest;
  const from = Math.max(range.start, manifest.visible_from);
  const until = Math.min(range.end, issuedMs);
  const [start, end] = [formatTime(from), formatTime(until)];
  const sentences =
    first === null || last === null
      ? [t('audit.verify.proven.none', { start, end })]
      : [
          t('audit.verify.proven', { count: records, first, last, start, end }),
          first === 1
            ? t('audit.verify.proven.first')
            : t('audit.verify.proven.continues', { first, previous: first - 1 }),
        ];
  if (checkpoint !== undefined && latest !== undefined)
    sentences.push(
      t('audit.verify.proven.signed', {
        number: checkpoint.number,
        time: formatTime(checkpoint.issuedMs),
        key: latest.keyId,
      }),
    );
  if (manifest.visible_from > range.start) sentences.push(t('audit.verify.proven.retention', { start }));
  if (saved !== undefined) {
    const values = { number: saved.number, time: formatTime(saved.issuedMs) };
    sentences.push(t('audit.verify.proven.saved', values));
    if (first !== null && saved.sequence < first) sentences.push(t('audit.verify.proven.saved.before', values));
  }
  sentences.push(t('audit.verify.unproven', { time: formatTime(issuedMs) }));
  if (saved === undefined) sentences.push(t('audit.verify.unproven.end'));
  sentences.push(t('audit.verify.unproven.host'));
  return sentences.join(' ');
}
