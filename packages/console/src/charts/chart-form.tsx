import { type ReactNode, useId } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { type Aggregate, SERIES_MAX } from './chart-kind.ts';
import {
  CHART_KIND_NAMES,
  CHART_KINDS,
  type ChartChoice,
  type ChartKindName,
  columnsFor,
  countsRows,
  withKind,
  withMeasures,
} from './chart-kinds.ts';

interface ChartFormProps {
  readonly columns: readonly ResultColumn[];
  readonly choice: ChartChoice;
  readonly onChoose: (choice: ChartChoice) => void;
}

/** Value of the option that uses no column: the number of rows, or no further series. */
const NONE = -1;
/** Value of the option that draws each row. */
const EACH = 'each';

/** Choice of the chart, of the columns of its axes, and of its series. */
export function ChartForm({ columns, choice, onChoose }: ChartFormProps) {
  const { t } = useTranslation();
  const { kind, x, measures, series, aggregate } = choice;
  const options = (axis: 'x' | 'y' | 'series', left: readonly number[] = []) =>
    columnsFor(kind, axis, columns)
      .filter((column) => !left.includes(column))
      .map((column) => (
        <option key={column} value={column}>
          {visibleText(columns[column]?.name ?? '')}
        </option>
      ));
  const withMeasure = (index: number, column: number): void => {
    const others = measures.filter((_, each) => each !== index);
    onChoose(withMeasures(choice, column === NONE ? others : measures.with(index, column)));
  };
  const numbers = columnsFor(kind, 'y', columns);
  const canAdd = measures.length > 0 && series === undefined && measures.length < Math.min(SERIES_MAX, numbers.length);
  return (
    <div className="chart-form">
      <Choice
        label={t('chart.kind')}
        value={kind}
        onChange={(value) => {
          const next = withKind(columns, choice, value as ChartKindName);
          if (next !== undefined) onChoose(next);
        }}
      >
        {CHART_KIND_NAMES.map((name) => (
          <option key={name} value={name} disabled={withKind(columns, choice, name) === undefined}>
            {t(`chart.kind.${name}`)}
          </option>
        ))}
      </Choice>
      <Choice label={t('chart.axis.x')} value={x} onChange={(value) => onChoose({ ...choice, x: Number(value) })}>
        {options('x')}
      </Choice>
      <Choice
        label={t('chart.axis.y')}
        value={measures[0] ?? NONE}
        onChange={(value) =>
          Number(value) === NONE || measures.length === 0
            ? onChoose(withMeasures(choice, Number(value) === NONE ? [] : [Number(value)]))
            : withMeasure(0, Number(value))
        }
      >
        {countsRows(kind) ? <option value={NONE}>{t('chart.axis.count')}</option> : null}
        {options('y', measures.slice(1))}
      </Choice>
      {measures.slice(1).map((measure, index) => (
        <Choice
          key={measure}
          label={t('chart.and')}
          value={measure}
          onChange={(value) => withMeasure(index + 1, Number(value))}
        >
          <option value={NONE}>{t('label.none')}</option>
          {options(
            'y',
            measures.filter((each) => each !== measure),
          )}
        </Choice>
      ))}
      {canAdd ? (
        <Choice
          label={t('chart.and')}
          value={NONE}
          onChange={(value) => onChoose(withMeasures(choice, [...measures, Number(value)]))}
        >
          <option value={NONE}>{t('label.none')}</option>
          {options('y', measures)}
        </Choice>
      ) : null}
      {measures.length > 0 && CHART_KINDS[kind].aggregates.length > 1 ? (
        <Choice
          label={t('chart.aggregate')}
          value={aggregate ?? EACH}
          onChange={(value) => onChoose({ ...choice, aggregate: value === EACH ? undefined : (value as Aggregate) })}
        >
          {CHART_KINDS[kind].aggregates.map((each) => (
            <option key={each ?? EACH} value={each ?? EACH}>
              {t(`chart.aggregate.${each ?? EACH}`)}
            </option>
          ))}
        </Choice>
      ) : null}
      {measures.length < 2 ? (
        <Choice
          label={t('chart.series')}
          value={series ?? NONE}
          onChange={(value) => onChoose({ ...choice, series: Number(value) === NONE ? undefined : Number(value) })}
        >
          <option value={NONE}>{t('label.none')}</option>
          {options('series', [x, ...measures])}
        </Choice>
      ) : null}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | number;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="chart-form__choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </div>
  );
}
