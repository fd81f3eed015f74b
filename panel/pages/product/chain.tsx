import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { useFormats } from '../../words/format.ts'
import classes from './editing.module.css'

type Found = Answer<'GET /panel/api/accounts/{account_id}/products/{product_id}/candidates'>['data']
export type Candidate = Found['candidates'][number]

/**
 * All candidates for a field, in the order in which they are tried: the shown one, and the reason why each other one is not shown.
 */
export function Chain({ found }: { found: Found }) {
  const { t } = useTranslation('product-edit')
  const format = useFormats()
  if (found.candidates.length === 0) return <p className={classes.quiet}>{t('chain.none')}</p>
  return (
    <>
      <p className={classes.quiet}>
        {t(found.has_order ? 'chain.ordered' : 'chain.byPriority')}
        {found.locales.length > 1 ? ` ${t('chain.locales', { locales: format.list(found.locales) })}` : ''}
      </p>
      <ol className={classes.chain}>
        {found.candidates.map((candidate, i) => (
          <Link key={i} candidate={candidate} />
        ))}
      </ol>
    </>
  )
}

function Link({ candidate }: { candidate: Candidate }) {
  const { t } = useTranslation('product-edit')
  return (
    <li>
      <div className={classes.from}>
        <strong dir="auto">{useSourceName(candidate)}</strong>
        {candidate.behind === null ? (
          <StateMark tone="good">{t('chain.shown')}</StateMark>
        ) : (
          <span className={classes.quiet}>{t(`chain.behind.${candidate.behind}`)}</span>
        )}
      </div>
      <Value candidate={candidate} />
    </li>
  )
}

/** The source of a value, "your own value" or the supplier's name, with its language. */
function useSourceName({ source, supplier }: Candidate): string {
  const { t } = useTranslation('product-edit')
  const name =
    source.from === 'override'
      ? t('chain.own')
      : t('chain.supplier', { name: supplier?.name ?? '', sku: source.supplier_sku })
  if (source.locale === null || source.locale === '') return name
  return `${name} · ${source.locale === '*' ? t('chain.everyLocale') : source.locale}`
}

const LONG = 300

function Value({ candidate: { value, length, stated } }: { candidate: Candidate }) {
  const { t } = useTranslation('product-edit')
  const format = useFormats()
  const [isOpen, setOpen] = useState(false)
  if (value === null) return <p className={classes.value}>{t('chain.hidden')}</p>
  if (Array.isArray(value)) {
    const [first] = value
    return (
      <p className={classes.value}>
        {t('chain.images', { count: length })}
        {first === undefined ? null : <span className={`${classes.quiet} ${classes.cut}`}>{first}</span>}
      </p>
    )
  }
  return (
    <>
      <p className={`${classes.value} ${isOpen ? '' : classes.cut}`} dir="auto">
        {value}
      </p>
      {value.length > LONG ? (
        <button type="button" className={classes.link} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? t('chain.less') : t('chain.all', { length: format.number(length) })}
        </button>
      ) : null}
      {stated === null ? null : <p className={classes.quiet}>{t('chain.stated', { stated })}</p>}
    </>
  )
}
