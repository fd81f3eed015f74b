import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page, Section } from '../../components/page.tsx'
import { chooseLanguage, LANGUAGES, type Language } from '../../words/i18n.ts'
import { useAccountTimeZone } from '../../words/format.ts'
import { addWords } from '../../words/add-words.ts'
import settingsWords from '../../words/en/settings.json'

addWords({ settings: settingsWords })

/** The panel's settings in this browser. */
export function SettingsPage() {
  const { t, i18n } = useTranslation('settings')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const zone = useAccountTimeZone()
  return (
    <Page title={t('title')} lead={t('lead')} width="narrow">
      <Section title={t('language')} note={t('languageNote')}>
        <NativeSelect
          aria-label={t('language')}
          maw={280}
          value={i18n.language}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
        />
      </Section>
      <Section title={t('scheme')}>
        <SegmentedControl
          aria-label={t('scheme')}
          value={colorScheme}
          onChange={(value) => setColorScheme(value)}
          data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`schemes.${value}`) }))}
        />
      </Section>
      <Section title={t('zone')}>
        <p>{t('zoneText', { zone })}</p>
      </Section>
    </Page>
  )
}
