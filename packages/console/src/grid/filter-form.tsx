import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { columnKind, isOrdered } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import type { FilterOperator, RowFilter } from '../result/row-order.ts';
import { Button } from '../ui/button.tsx';
import { NativeSelect } from '../ui/native-select.tsx';

const OPERATORS: readonly FilterOperator[] = [
  'contains',
  'equals',
  'differs',
  'less',
  'atMost',
  'greater',
  'atLeast',
  'isNull',
  'isNotNull',
];
/** Operators for values that have no order here. */
const UNORDERED: readonly FilterOperator[] = ['contains', 'isNull', 'isNotNull'];

/** Returns the operators for a type, the most useful one first. */
function operatorsOf(type: string): readonly FilterOperator[] {
  const kind = columnKind(type);
  if (!isOrdered(kind)) return UNORDERED;
  return kind === 'text' || kind === 'binary' ? OPERATORS : [...OPERATORS.slice(1), 'contains'];
}

interface FilterFormProps {
  readonly columns: readonly ResultColumn[];
  readonly initialColumn: number;
  readonly onAdd: (filter: RowFilter) => void;
}

/** Form that adds one condition on the loaded rows. Numbers and times compare by value, not as text. */
export function FilterForm({ columns, initialColumn, onAdd }: FilterFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [column, setColumn] = useState(initialColumn);
  const [chosen, setOperator] = useState<FilterOperator>();
  const [value, setValue] = useState('');
  const operators = operatorsOf(columns[column]?.type ?? '');
  const operator = chosen !== undefined && operators.includes(chosen) ? chosen : (operators[0] as FilterOperator);
  const needsValue = operator !== 'isNull' && operator !== 'isNotNull';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd({ column, operator, value: needsValue ? value : '' });
    setValue('');
  };
  return (
    <form className="grid-filter" onSubmit={submit}>
      <NativeSelect
        isLabelHidden
        size="s"
        label={t('label.column')}
        value={column}
        onChange={(chosenColumn) => setColumn(Number(chosenColumn))}
      >
        {columns.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a result never change
          <option key={index} value={index}>
            {visibleText(name)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        isLabelHidden
        size="s"
        label={t('grid.filter-operator')}
        value={operator}
        onChange={(chosenOperator) => setOperator(chosenOperator as FilterOperator)}
      >
        {operators.map((each) => (
          <option key={each} value={each}>
            {t(`grid.operator.${each}`)}
          </option>
        ))}
      </NativeSelect>
      {needsValue ? (
        <>
          <label className="visually-hidden" htmlFor={`${id}-value`}>
            {t('grid.filter-value')}
          </label>
          <input
            id={`${id}-value`}
            value={value}
            placeholder={t('grid.filter-value')}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setValue(event.target.value)}
          />
        </>
      ) : null}
      <Button size="s" icon="plus" type="submit">
        {t('grid.add-filter')}
      </Button>
    </form>
  );
}
