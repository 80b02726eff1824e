import { useId } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import type { ResultColumn } from '../result/result-view.ts';
import {
  CHART_KIND_NAMES,
  CHART_KINDS,
  type ChartChoice,
  type ChartKindName,
  columnsFor,
  withKind,
} from './chart-kinds.ts';

interface ChartFormProps {
  readonly columns: readonly ResultColumn[];
  readonly choice: ChartChoice;
  readonly onChoose: (choice: ChartChoice) => void;
}

/** Value of the option that counts rows instead of using a column. */
const COUNT = -1;

/** Choice of the chart and of the columns of its axes. */
export function ChartForm({ columns, choice, onChoose }: ChartFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const options = (axis: 'x' | 'y') =>
    columnsFor(choice.kind, axis, columns).map((column) => (
      <option key={column} value={column}>
        {visibleText(columns[column]?.name ?? '')}
      </option>
    ));
  return (
    <div className="chart-form">
      <label htmlFor={`${id}-kind`}>{t('chart.kind')}</label>
      <select
        id={`${id}-kind`}
        value={choice.kind}
        onChange={(event) => {
          const next = withKind(columns, choice, event.target.value as ChartKindName);
          if (next !== undefined) onChoose(next);
        }}
      >
        {CHART_KIND_NAMES.map((kind) => (
          <option key={kind} value={kind} disabled={withKind(columns, choice, kind) === undefined}>
            {t(`chart.kind.${kind}`)}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-x`}>{t('chart.axis.x')}</label>
      <select
        id={`${id}-x`}
        value={choice.x}
        onChange={(event) => onChoose({ ...choice, x: Number(event.target.value) })}
      >
        {options('x')}
      </select>
      <label htmlFor={`${id}-y`}>{t('chart.axis.y')}</label>
      <select
        id={`${id}-y`}
        value={choice.y ?? COUNT}
        onChange={(event) => {
          const y = Number(event.target.value);
          onChoose({ ...choice, y: y === COUNT ? undefined : y });
        }}
      >
        {CHART_KINDS[choice.kind].addsUp ? <option value={COUNT}>{t('chart.axis.count')}</option> : null}
        {options('y')}
      </select>
    </div>
  );
}
