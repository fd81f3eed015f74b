import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../components/code-block.tsx'
import { SignatureCheck } from './signature-check.tsx'
import './words.ts'
import guide from '../../docs/webhooks.md?raw'

/** Code that verifies a delivery in a receiver, in four languages. */
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
      <SignatureCheck />
    </>
  )
}

// The functions that verify a delivery are extracted from docs/webhooks.md, whose code the project's tests run, so that there
// is no second copy.

const LANGUAGES = { js: 'Node.js', python: 'Python', php: 'PHP', go: 'Go' } as const

export interface Verifier {
  language: string
  code: string
}

/** One for each language: the first of its code blocks that defines `verify`. */
const VERIFIERS: readonly Verifier[] = Object.entries(LANGUAGES).map(([fence, language]) => {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))]
  const code = blocks.map((match) => match[1] ?? '').find((block) => block.includes('verify('))
  if (code === undefined) throw new Error(`docs/webhooks.md has no verifier in ${language}`)
  return { language, code }
})
