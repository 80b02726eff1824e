import { useCallback, useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { orderedView, type ShownRows } from '../result/ordered-view.ts';
import { holdsFirstRows, incompleteNote, type ResultColumn, type ResultView } from '../result/result-view.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { ChartDataTable, usePositionText } from './chart-data-table.tsx';
import { ChartDrawing } from './chart-drawing.tsx';
import { ChartForm } from './chart-form.tsx';
import type { ChartLabels, Pause } from './chart-kind.ts';
import { CHART_KINDS, type ChartChoice, chooseChart } from './chart-kinds.ts';
import { chartAsPng, chartAsSvg } from './save-chart.ts';
import { useComputed } from './use-computed.ts';
import './charts.css';

interface ChartViewProps {
  readonly view: ResultView;
  /** Rows that the grid shows. */
  readonly shown: ShownRows;
}

/** Choice for each result that is still open, which stays when the user looks at something else meanwhile. A result has its own list of columns. */
const choices = new WeakMap<readonly ResultColumn[], ChartChoice>();

/** Chart of the rows that the grid shows, with a table of what it shows. */
export function ChartView({ view, shown }: ChartViewProps) {
  const { t } = useTranslation();
  const [, setChosen] = useState<ChartChoice>();
  const choice = choices.get(view.columns) ?? chooseChart(view.columns);
  if (choice === undefined) return <p className="chart-none">{t('chart.none')}</p>;
  return (
    <Chart
      // Another choice begins anew.
      key={JSON.stringify(choice)}
      view={view}
      shown={shown}
      choice={choice}
      onChoose={(next) => {
        choices.set(view.columns, next);
        setChosen(next);
      }}
    />
  );
}

interface ChartProps extends ChartViewProps {
  readonly choice: ChartChoice;
  readonly onChoose: (choice: ChartChoice) => void;
}

function Chart({ view, shown, choice, onChoose }: ChartProps) {
  const { t } = useTranslation();
  const { order, isSorted, isFiltered } = shown;
  const collect = useCallback(
    (rows: ResultView, pause: Pause) =>
      CHART_KINDS[choice.kind].collect(orderedView(rows, order), { ...choice, isSorted }, pause),
    [choice, order, isSorted],
  );
  const data = useComputed(view, collect);
  const frame = useRef<HTMLDivElement>(null);
  const note = incompleteNote(view);
  const labels = useChartLabels(view, choice);
  const title = t(`chart.title.${choice.kind}`, { x: labels.x, y: labels.y });
  const noteText = note === undefined ? '' : t(note.key, note.values);
  const column = view.columns[choice.x];
  const positionOf = usePositionText(column, labels.nothing);
  const save = async (format: 'svg' | 'png') => {
    const svg = frame.current?.querySelector('svg');
    if (svg === null || svg === undefined) return;
    saveFile(format === 'svg' ? chartAsSvg(svg) : await chartAsPng(svg), `chart.${format}`);
  };
  return (
    <section className="chart" aria-label={title}>
      <div className="chart__tools">
        <ChartForm columns={view.columns} choice={choice} onChoose={onChoose} />
        <div className="chart__files">
          <Button kind="quiet" size="s" icon="download" onPress={() => void save('svg')}>
            {t('chart.save.svg')}
          </Button>
          <Button kind="quiet" size="s" icon="download" onPress={() => void save('png')}>
            {t('chart.save.png')}
          </Button>
        </div>
      </div>
      <figure className="chart__figure">
        <figcaption className="chart__caption">
          <strong>{title}</strong>
          <span>
            {data === undefined
              ? t('chart.working')
              : t(holdsFirstRows(view) ? 'count.of-first-rows' : 'count.of-loaded-rows', { count: data.rows })}
          </span>
          {isFiltered ? <span>{t('chart.selected-rows')}</span> : null}
          {data !== undefined && data.hiddenCategories > 0 ? (
            <span>{t('chart.hidden', { count: data.hiddenCategories })}</span>
          ) : null}
          {data !== undefined && data.hiddenSeries > 0 ? (
            <span>{t('chart.hidden-series', { count: data.hiddenSeries })}</span>
          ) : null}
          {note === undefined ? null : <span className="chart__incomplete">{noteText}</span>}
        </figcaption>
        <ChartDrawing
          frame={frame}
          title={title}
          drawn={data && { kind: CHART_KINDS[choice.kind], x: column, data, labels, note: noteText }}
          positionOf={positionOf}
        />
      </figure>
      {data === undefined ? null : <ChartDataTable data={data} labels={labels} title={title} positionOf={positionOf} />}
    </section>
  );
}

/** Returns the names of the axes of a chart. */
function useChartLabels(view: ResultView, { x, measures, series, aggregate }: ChartChoice): ChartLabels {
  const { t } = useTranslation();
  const nameOf = (column: number): string => visibleText(view.columns[column]?.name ?? '');
  const columns = measures.map(nameOf).join(', ');
  const y =
    measures.length === 0
      ? t('chart.count')
      : aggregate === undefined
        ? columns
        : t(`chart.of.${aggregate}`, { column: columns });
  return {
    x: nameOf(x),
    y: series === undefined ? y : t('chart.split', { y, series: nameOf(series) }),
    nothing: 'NULL',
  };
}
