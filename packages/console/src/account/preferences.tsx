import { LANGUAGES, type Language } from '../i18n/catalog.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../theme/use-theme.ts';
import { Note, Section } from '../ui/layout.tsx';
import { SelectField } from '../ui/select-field.tsx';

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** Language and theme of this browser. The account menu has them too. */
export function Preferences() {
  const { t, language, setLanguage } = useTranslation();
  const theme = useThemeChoice();
  return (
    <Section title={t('account.preferences')}>
      <SelectField<Language>
        label={t('language.title')}
        value={language}
        choices={(Object.keys(LANGUAGES) as Language[]).map((id) => ({ id, label: LANGUAGES[id] }))}
        onChange={setLanguage}
      />
      <SelectField<ThemeChoice>
        label={t('theme.title')}
        value={theme}
        choices={THEMES.map((id) => ({ id, label: t(`theme.${id}`) }))}
        onChange={chooseTheme}
      />
      <Note size="s">{t('account.preferences.about')}</Note>
    </Section>
  );
}
