import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SOURCED_FIELDS } from '../../../contract/product-fields.ts'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Empty, Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccountParams } from '../../session/account.ts'
import { ProductName } from '../../resources/product-name.tsx'
import { useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { offerKey, type Offer, type ProductExplanation } from './data.ts'
import classes from './product.module.css'
import { SplitDialog } from './split.tsx'

/** The offers of the product, and what stores use of each. */
export function Offers({
  productId,
  stores,
  whys,
}: {
  productId: number
  stores: readonly CatalogStore[]
  whys: readonly (ProductExplanation | undefined)[]
}) {
  const { t } = useTranslation('product-edit')
  const [splitting, setSplitting] = useState<Offer | null>(null)
  const offers = useRead('GET /panel/api/accounts/{account_id}/products/{product_id}/offers', {
    params: { ...useAccountParams(), product_id: productId },
  })
  return (
    <Section title={t('offers.title')} note={t('offers.note')}>
      <Loaded query={offers}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{t('offers.none')}</Empty>
          ) : (
            <div className={classes.cards}>
              {data.map((offer) => (
                <OfferCard
                  key={offerKey(offer)}
                  offer={offer}
                  stores={stores}
                  whys={whys}
                  split={data.length > 1 ? () => setSplitting(offer) : null}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {splitting === null ? null : (
        <SplitDialog offers={offers.data?.data ?? []} chosen={splitting} close={() => setSplitting(null)} />
      )}
    </Section>
  )
}

function OfferCard({
  offer,
  stores,
  whys,
  split,
}: {
  offer: Offer
  stores: readonly CatalogStore[]
  whys: readonly (ProductExplanation | undefined)[]
  split: (() => void) | null
}) {
  const { t } = useTranslation('product-edit')
  const format = useFormats()
  const used = useOfferUses(offer, stores, whys)
  const { supplier } = offer
  return (
    <article className={classes.card} aria-label={t('offers.of', { supplier: supplier.name, sku: offer.sku })}>
      <header>
        <h3 dir="auto">
          {supplier.name} <small>{offer.sku}</small>
        </h3>
        {split === null ? null : (
          <Button size="compact-sm" variant="default" onClick={split}>
            {t('offers.split')}
          </Button>
        )}
      </header>
      <p dir="auto" className={classes.cut}>
        {offer.title === null ? t('offers.noTitle') : <ProductName of={offer} id={0} />}
      </p>
      <dl>
        <div>
          <dt>{t('offers.cost')}</dt>
          <dd>{offer.cost === null ? '–' : format.money(offer.cost, offer.currency)}</dd>
        </div>
        {offer.cost_tiers === null ? null : (
          <div>
            <dt>{t('offers.costTiers')}</dt>
            <dd>
              {offer.cost_tiers
                .map(({ quantity, cost }) =>
                  t('offers.costTier', {
                    quantity: format.number(quantity),
                    cost: format.money(cost, offer.currency),
                  }),
                )
                .join('; ')}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('offers.quantity')}</dt>
          <dd>{format.number(offer.quantity)}</dd>
        </div>
        <div>
          <dt>EAN</dt>
          <dd>{offer.eans.length === 0 ? '–' : offer.eans.join(', ')}</dd>
        </div>
        <div>
          <dt>{t('offers.match')}</dt>
          <dd>
            {offer.shared_eans.length === 0
              ? t('offers.alone')
              : t('offers.shared', { eans: offer.shared_eans.join(', ') })}
          </dd>
        </div>
        <div>
          <dt>{t('offers.used')}</dt>
          <dd>
            {used.length === 0 ? (
              t('offers.unused')
            ) : (
              <ul className={classes.uses}>
                {used.map((use) => (
                  <li key={use}>{use}</li>
                ))}
              </ul>
            )}
          </dd>
        </div>
        {offer.runs[0] === undefined ? null : (
          <div>
            <dt>{t('offers.lastRun')}</dt>
            <dd>
              <RelativeTime at={offer.runs[0].at} /> · {t(`offers.run.${offer.runs[0].kind}`)}
              {offer.runs[0].members.length === 0 ? '' : ` (${format.list(offer.runs[0].members)})`}
            </dd>
          </div>
        )}
      </dl>
      {supplier.is_active ? null : <StateMark tone="off">{t('offers.inactive')}</StateMark>}
      {offer.stale_since === null ? null : (
        <StateMark tone="warn">
          {t('offers.stale')} <RelativeTime at={offer.stale_since} />
        </StateMark>
      )}
      {offer.absent_since === null ? null : (
        <StateMark tone="warn">
          {t('offers.absent')} <RelativeTime at={offer.absent_since} />
        </StateMark>
      )}
    </article>
  )
}

/** What the shown stores take from the offer, in words; and if it is not the best offer, why not. */
function useOfferUses(
  { supplier, sku }: Offer,
  stores: readonly CatalogStore[],
  whys: readonly (ProductExplanation | undefined)[],
): string[] {
  const { t } = useTranslation(['product-edit', 'product'])
  const fieldName = useFieldNames()
  const format = useFormats()
  const known = whys.flatMap((why, i) => {
    const store = stores[i]
    return why === undefined || store === undefined ? [] : [{ why, store }]
  })
  const [first] = known
  const said: string[] = []
  // the order of the offers is the same in every store
  const ranked = first?.why.offers.find((entry) => entry.supplier_id === supplier.id && entry.supplier_sku === sku)
  if (ranked !== undefined) {
    if (ranked.rank === 1)
      said.push(first?.why.base_cost?.source === 'best_offer' ? t('offers.bestPriced') : t('offers.best'))
    else if (ranked.ineligible !== null) said.push(t(`product:why.ineligible.${ranked.ineligible}`))
    else if (ranked.behind_best_by !== null)
      said.push(t('offers.behind', { why: t(`product:why.behind.${ranked.behind_best_by}`) }))
  }
  for (const field of SOURCED_FIELDS) {
    const using = known.filter(({ why }) => {
      const { source } = why[field]
      return source?.from === 'supplier' && source.supplier_id === supplier.id && source.supplier_sku === sku
    })
    if (using.length === 0) continue
    said.push(
      using.length === known.length
        ? fieldName(field)
        : t('offers.usedIn', { value: fieldName(field), stores: format.list(using.map(({ store }) => store.name)) }),
    )
  }
  return said
}
