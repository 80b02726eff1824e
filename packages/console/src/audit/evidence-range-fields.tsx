import { useTranslation } from '../i18n/translate.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type RangeInput, readRangeInput } from './evidence-range.ts';
import './evidence-range-fields.css';

interface EvidenceRangeFieldsProps {
  readonly value: RangeInput;
  readonly onChange: (value: RangeInput) => void;
}

/** Fields for the time of an evidence package. */
export function EvidenceRangeFields({ value, onChange }: EvidenceRangeFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="evidence-range">
      <TextField
        label={t('audit.filter.start')}
        type="datetime-local"
        value={value.start}
        onChange={(start) => onChange({ ...value, start })}
      />
      <TextField
        label={t('audit.filter.end')}
        type="datetime-local"
        value={value.end}
        onChange={(end) => onChange({ ...value, end })}
        problem={readRangeInput(value) === undefined ? t('audit.export.range.problem') : undefined}
      />
    </div>
  );
}
