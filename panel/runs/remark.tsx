import { useTranslation } from 'react-i18next'
import { remarkWords, type ReceivedRemark } from '../words/remarks.ts'

/** A remark about a file in the reader's language; in English if it has no translation. */
export function Remark({ of }: { of: ReceivedRemark }) {
  const { i18n } = useTranslation()
  const { words, isAsItIs } = remarkWords(of, i18n.language)
  return <span lang={isAsItIs && i18n.language !== 'en' ? 'en' : undefined}>{words}</span>
}
