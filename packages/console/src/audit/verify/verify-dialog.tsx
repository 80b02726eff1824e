import { useState } from 'react';
import { formatBytes } from '../../i18n/format-bytes.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EVIDENCE_SPANS, type EvidenceSpan, rangeInputOf, readRangeInput, spanBefore } from '../evidence-range.ts';
import { EvidenceRangeFields } from '../evidence-range-fields.tsx';
import { CheckpointChoice } from './checkpoint-choice.tsx';
import type { SavedCheckpoint } from './checkpoint-file.ts';
import { UnsupportedBrowserError } from './unsupported-browser-error.ts';
import { type LogVerification, useVerification, type VerificationState } from './use-verification.ts';
import { VerifyResult } from './verify-result.tsx';
import './verify-dialog.css';

interface VerifyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const RANGES = [...EVIDENCE_SPANS, 'custom'] as const;
type Range = EvidenceSpan | 'custom';

/** Dialog that verifies the records of a time, and explains in one paragraph what that proves. */
export function VerifyDialog({ isOpen, onClose }: VerifyDialogProps) {
  const { t } = useTranslation();
  const log = useVerification();
  const close = () => {
    log.stop();
    onClose();
  };
  return (
    <Dialog title={t('audit.verify.title')} width="l" isOpen={isOpen} onClose={close}>
      {isOpen && <VerifyForm log={log} onClose={close} />}
    </Dialog>
  );
}

function VerifyForm({ log, onClose }: Pick<VerifyDialogProps, 'onClose'> & { readonly log: LogVerification }) {
  const { t } = useTranslation();
  const { state } = log;
  const [range, setRange] = useState<Range>('month');
  const [input, setInput] = useState(() => rangeInputOf({}, Date.now()));
  const [saved, setSaved] = useState<SavedCheckpoint>();
  const custom = range === 'custom' ? readRangeInput(input) : undefined;
  const start = () => {
    const chosen = range === 'custom' ? custom : spanBefore(range, Date.now());
    if (chosen !== undefined) log.start({ range: chosen, saved });
  };
  const isRunning = state.kind === 'reading' || state.kind === 'verifying';
  return (
    <div className="verify-dialog">
      <p className="verify-dialog__about">{t('audit.verify.about')}</p>
      <SelectField
        label={t('label.time')}
        value={range}
        choices={RANGES.map((id) => ({
          id,
          label: id === 'year' ? t('audit.verify.range.year') : t(`audit.filter.range.${id}`),
        }))}
        onChange={(next) => {
          log.stop();
          setRange(next);
        }}
      />
      {range === 'custom' && <EvidenceRangeFields value={input} onChange={setInput} />}
      <CheckpointChoice
        saved={saved}
        onChange={(next) => {
          log.stop();
          setSaved(next);
        }}
      />
      <div aria-live="polite">
        {state.kind === 'done' ? <VerifyResult verification={state} onFollow={onClose} /> : <Progress state={state} />}
      </div>
      <DialogActions {...(log.state.kind === 'done' ? { onClose } : { onCancel: onClose })}>
        {isRunning ? (
          <Button onPress={log.stop} icon="stop">
            {t('action.stop')}
          </Button>
        ) : (
          <Button kind="primary" isDisabled={range === 'custom' && custom === undefined} onPress={start}>
            {t(state.kind === 'idle' ? 'audit.verify' : 'audit.verify.again')}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}

function Progress({ state }: { readonly state: Exclude<VerificationState, { kind: 'done' }> }) {
  const { t, language } = useTranslation();
  if (state.kind === 'idle') return null;
  if (state.kind === 'failed')
    return (
      <>
        {state.failure instanceof UnsupportedBrowserError ? (
          <p role="alert">{t('audit.verify.unsupported')}</p>
        ) : (
          <Failure error={state.failure} />
        )}
        <p className="verify-dialog__none">{t('audit.verify.none')}</p>
      </>
    );
  const size = formatBytes(state.bytes, language);
  return state.kind === 'reading' ? (
    <ProgressBar label={t('audit.verify.reading')} value={undefined} text={t('audit.export.running', { size })} />
  ) : (
    <ProgressBar
      label={t('audit.verify.running')}
      value={state.part}
      text={t('audit.verify.progress', { count: state.records, size })}
    />
  );
}
