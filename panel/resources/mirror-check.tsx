import { useTranslation } from 'react-i18next'
import type { Answer } from '../api/client.ts'
import { useNow } from '../components/relative-time.tsx'
import { useFormats } from '../words/format.ts'

export type MirrorCheck =
  Answer<'GET /panel/api/accounts/{account_id}/overview'>['data']['stores'][number]['mirrors'][number]

/** Mirrors that differ first; otherwise the order is kept, which is by name. */
export const urgentFirst = (mirrors: readonly MirrorCheck[]): MirrorCheck[] =>
  [...mirrors].sort((a, b) => Number(b.differing > 0) - Number(a.differing > 0))

/** The last report of a mirror: equal and as of when, or how many products differ and since when. On hover, the time of the report. */
export function MirrorSentence({ mirror }: { mirror: MirrorCheck }) {
  const { t } = useTranslation()
  const format = useFormats()
  const now = useNow()
  const { name, differing, as_of: asOf, differs_since: since, told_at: toldAt } = mirror
  const title = t('mirror.told', { at: format.exact(new Date(toldAt)) })
  return (
    <span title={title}>
      <bdi>{name}</bdi>
      {': '}
      {differing === 0
        ? t('mirror.equal', { at: format.clock(new Date(asOf), now) })
        : t('mirror.differs', { count: differing, at: format.clock(new Date(since ?? toldAt), now) })}
    </span>
  )
}
