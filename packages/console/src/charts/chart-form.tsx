import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { NativeSelect } from '../ui/native-select.tsx';
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
      <NativeSelect
        size="s"
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
      </NativeSelect>
      <NativeSelect
        size="s"
        label={t('chart.axis.x')}
        value={x}
        onChange={(value) => onChoose({ ...choice, x: Number(value) })}
      >
        {options('x')}
      </NativeSelect>
      <NativeSelect
        size="s"
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
      </NativeSelect>
      {measures.slice(1).map((measure, index) => (
        <NativeSelect
          size="s"
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
        </NativeSelect>
      ))}
      {canAdd ? (
        <NativeSelect
          size="s"
          label={t('chart.and')}
          value={NONE}
          onChange={(value) => onChoose(withMeasures(choice, [...measures, Number(value)]))}
        >
          <option value={NONE}>{t('label.none')}</option>
          {options('y', measures)}
        </NativeSelect>
      ) : null}
      {measures.length > 0 && CHART_KINDS[kind].aggregates.length > 1 ? (
        <NativeSelect
          size="s"
          label={t('chart.aggregate')}
          value={aggregate ?? EACH}
          onChange={(value) => onChoose({ ...choice, aggregate: value === EACH ? undefined : (value as Aggregate) })}
        >
          {CHART_KINDS[kind].aggregates.map((each) => (
            <option key={each ?? EACH} value={each ?? EACH}>
              {t(`chart.aggregate.${each ?? EACH}`)}
            </option>
          ))}
        </NativeSelect>
      ) : null}
      {measures.length < 2 ? (
        <NativeSelect
          size="s"
          label={t('chart.series')}
          value={series ?? NONE}
          onChange={(value) => onChoose({ ...choice, series: Number(value) === NONE ? undefined : Number(value) })}
        >
          <option value={NONE}>{t('label.none')}</option>
          {options('series', [x, ...measures])}
        </NativeSelect>
      ) : null}
    </div>
  );
}
