import { useTranslation } from 'react-i18next'
import { useFormats } from '../words/format.ts'
import { useNow } from './now.ts'

/** How long ago a moment was, or is to come; the exact one on hover. `at` is RFC 3339. */
export function When({ at, empty = '–' }: { at: string | null; empty?: string }) {
  const format = useFormats()
  const now = useNow()
  if (at === null) return <span>{empty}</span>
  const moment = new Date(at)
  return (
    <time dateTime={at} title={format.exact(moment)}>
      {format.relative(moment, now)}
    </time>
  )
}

/** When something is to be done by itself. What is due already is done any moment: nobody reads that it was to be "2 minutes ago". */
export function Due({ at }: { at: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const moment = new Date(at)
  if (moment > useNow()) return <When at={at} />
  return (
    <time dateTime={at} title={format.exact(moment)}>
      {t('anyMoment')}
    </time>
  )
}
