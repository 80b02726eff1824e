import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';

interface RowJumpFormProps {
  /** Rows of the result. */
  readonly rows: number;
  /** Called with the index of a row, from 0. */
  readonly onJump: (row: number) => void;
}

/** Form that shows a row by its number, for results that are too long to scroll to it. */
export function RowJumpForm({ rows, onJump }: RowJumpFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [number, setNumber] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const row = Number.parseInt(number, 10);
    if (Number.isSafeInteger(row)) onJump(Math.min(Math.max(row, 1), rows) - 1);
  };
  return (
    <form className="grid-jump" onSubmit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        {t('grid.row-number')}
      </label>
      <input
        id={id}
        value={number}
        inputMode="numeric"
        autoComplete="off"
        maxLength={String(rows).length}
        placeholder={t('grid.row-number')}
        onChange={(event) => setNumber(event.target.value.replaceAll(/\D/g, ''))}
      />
      <Button kind="quiet" size="s" type="submit">
        {t('grid.jump')}
      </Button>
    </form>
  );
}
