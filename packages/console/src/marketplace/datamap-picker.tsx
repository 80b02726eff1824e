import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { DraftQuery } from './item-draft.ts';

/** Datamaps that are listed. Words find the others. */
const LISTED_MAX = 10;
const WORDS_CHARACTERS_MAX = 700;

interface DatamapPickerProps {
  /** Ids of the datamaps that are chosen already. */
  readonly chosen: readonly string[];
  readonly onAdd: (query: DraftQuery) => void;
}

/** List of published datamaps, with a search. */
export function DatamapPicker({ chosen, onAdd }: DatamapPickerProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [words, setWords] = useState('');
  const q = words.trim();
  const { data = [], error } = useQuery({
    queryKey: ['datamap-picker', q],
    queryFn: async ({ signal }) => {
      // Drafts of the user are found too, so more are asked for than are listed.
      const body = { ...(q === '' ? {} : { q }), size: LISTED_MAX * 3, advance_options: { type: 'DATAMAP' as const } };
      const page = await client.api.searchDatamaps({ body, signal });
      return page.data.filter(({ datamap }) => datamap.state === 'PUBLISHED');
    },
    placeholderData: keepPreviousData,
  });
  const offered = data.filter(({ id }) => !chosen.includes(id)).slice(0, LISTED_MAX);
  return (
    <div className="item-form">
      <Failure error={error ?? undefined} />
      <TextField
        label={t('item.datamaps')}
        description={t('item.datamaps.about')}
        icon="search"
        value={words}
        onChange={(text) => setWords(text.slice(0, WORDS_CHARACTERS_MAX))}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul className="item-form__offers">
        {offered.map(({ id, datamap }) => (
          <li key={id}>
            <Button
              size="s"
              icon="plus"
              aria-label={t('item.datamaps.add', { name: visibleText(datamap.display_name) })}
              onPress={() =>
                onAdd({
                  name: datamap.display_name.slice(0, 256),
                  datamapId: id,
                  parameters: datamap.parameters.map(({ name }) => name),
                  isPublished: true,
                })
              }
            >
              <VisibleText text={datamap.display_name} />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
