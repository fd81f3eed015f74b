import { useTranslation } from 'react-i18next'
import { remarkWords, type SaidRemark } from '../words/remarks.ts'

/** A remark about a file in its reader's language, or in that of the service where it has no other words. */
export function Remark({ of }: { of: SaidRemark }) {
  const { i18n } = useTranslation()
  const { words, isAsItIs } = remarkWords(of, i18n.language)
  return <span lang={isAsItIs && i18n.language !== 'en' ? 'en' : undefined}>{words}</span>
}
