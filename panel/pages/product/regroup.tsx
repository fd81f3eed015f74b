import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useProductWords } from '../../resources/product-name.tsx'
import { useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import classes from './product.module.css'

export type Regroup = Answer<'POST /panel/api/accounts/{account_id}/products/{product_id}/merge-preview'>['data']
type Place = Regroup['products'][number]['stores'][number]

/** The most stores of a product that are named; the others are counted. */
const STORES_SHOWN = 10

/** The effects of a merge or a split on stores, as the service has computed them. */
export function RegroupEffects({ preview }: { preview: Regroup }) {
  const { t } = useTranslation('product-edit')
  const nameOf = useProductWords()
  return (
    <>
      {preview.products.map(({ product_id: id, title, title_locale, stores }, i) => (
        <div key={id ?? 'new'}>
          <h3 dir="auto" className={classes.cut}>
            {id === null
              ? t('regroup.new', { title: nameOf({ title, title_locale, sku: null }, 0) })
              : t('regroup.of', { id, title: nameOf({ title, title_locale, sku: null }, id) })}
          </h3>
          {stores.length === 0 ? (
            <p className={classes.quiet}>{t(i === 0 ? 'regroup.unchanged' : 'regroup.nowhere')}</p>
          ) : (
            <ul className={classes.lines}>
              {stores.slice(0, STORES_SHOWN).map((place) => (
                <li key={place.store}>
                  <Effect place={place} />
                </li>
              ))}
            </ul>
          )}
          {stores.length > STORES_SHOWN ? (
            <p className={classes.quiet}>{t('regroup.others', { count: stores.length - STORES_SHOWN })}</p>
          ) : null}
        </div>
      ))}
    </>
  )
}

function Effect({ place: { store, before, after } }: { place: Place }) {
  const { t } = useTranslation(['product-edit', 'product'])
  const fieldName = useFieldNames()
  const format = useFormats()
  const reasonWords = useReasonWords()
  const said = (reason: string | null) => (reason === null ? '–' : reasonWords(reason))
  if (before !== null && after === null) return <span>{t('regroup.leaves', { store })}</span>
  if (after === null) return null
  const money = (shown: NonNullable<Place['after']>) =>
    shown.price === null ? t('history.noPrice') : format.money(shown.price, shown.currency)
  if (before === null)
    return <span>{t('regroup.joins', { store, price: money(after), stock: format.number(after.stock) })}</span>
  const changes = [
    [t('product:rows.price'), money(before), money(after)],
    [t('product:rows.stock'), format.number(before.stock), format.number(after.stock)],
    [fieldName('title'), before.title ?? '–', after.title ?? '–'],
    ['SKU', before.sku ?? '–', after.sku ?? '–'],
    [t('regroup.exclusion'), said(before.exclusion_reason), said(after.exclusion_reason)],
  ].filter(([, was, is]) => was !== is)
  return (
    <span dir="auto">
      {t('regroup.changes', {
        store,
        changes:
          changes.length === 0
            ? t('regroup.otherwise')
            : format.list(changes.map(([name, was, is]) => `${name} ${was} → ${is}`)),
      })}
      {after.is_held && !before.is_held ? ` ${t('regroup.held')}` : ''}
    </span>
  )
}
