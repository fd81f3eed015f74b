import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../components/code-block.tsx'
import { VERIFIERS } from './verifiers.ts'

/** How a receiver verifies a delivery, in four languages. */
export default function VerifierTabs() {
  const { t } = useTranslation('webhooks')
  return (
    <>
      <p>
        {t('verifier.text')}{' '}
        <a href="/docs/guides/webhooks#verifying" target="_blank" rel="noreferrer">
          {t('verifier.guide')}
        </a>
      </p>
      <Tabs defaultValue={VERIFIERS[0]?.language} mt="sm" keepMounted={false}>
        <Tabs.List aria-label={t('verifier.title')}>
          {VERIFIERS.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VERIFIERS.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <CodeBlock title={t('verifier.in', { language })} code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
