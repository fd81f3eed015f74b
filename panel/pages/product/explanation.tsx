import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './product.module.css'

type Why = Answer<'GET /v1/products/{id}/explain'>['data']
type Price = Why['prices'][number]

/** Every decision that makes the product in one store, in words. */
export function Explanation({
  productId,
  stores,
  store,
  choose,
}: {
  productId: number
  stores: readonly CatalogStore[]
  store: CatalogStore
  choose: (slug: string) => void
}) {
  const { t } = useTranslation('product')
  const account = useAccount()
  const why = useRead('GET /v1/products/{id}/explain', {
    accountId: account.id,
    params: { id: productId },
    query: { store: store.slug },
  })
  return (
    <Section
      title={t('why.title')}
      actions={
        <NativeSelect
          aria-label={t('why.store')}
          value={store.slug}
          data={stores.map(({ slug, name }) => ({ value: slug, label: name }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
    >
      <Loaded query={why} lines={8}>
        {({ data }) => (
          <div className={classes.why}>
            <Decisions why={data} />
            <Offers offers={data.offers} />
            {data.prices.map((price) => (
              <Arithmetic key={price.group_id} price={price} isOnly={data.prices.length === 1} />
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function Decisions({ why }: { why: Why }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const { listing, exclusion, stock, base_cost: cost } = why
  return (
    <Facts
      facts={[
        [t('why.listing'), t(listing.is_listed ? `why.listed.${listing.by}` : `why.unlisted.${listing.by}`)],
        [
          t('why.exclusion'),
          exclusion.excluded
            ? t('why.excluded', { reasons: exclusion.found.map(({ reason }) => reason).join(', ') })
            : t('why.notExcluded'),
        ],
        [
          t('why.stock'),
          t('why.stockParts', {
            own: format.number(stock.own),
            supplier: format.number(stock.best_supplier),
            total: format.number(stock.total),
          }),
        ],
        [
          t('why.cost'),
          cost === null
            ? t('why.noCost')
            : t(`why.costFrom.${cost.source}`, { amount: format.money(cost.amount, cost.currency) }),
        ],
      ]}
    />
  )
}

function Offers({ offers }: { offers: Why['offers'] }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  if (offers.length === 0) return <p className={classes.quiet}>{t('why.noOffers')}</p>
  return (
    <div>
      <h3>{t('why.offers')}</h3>
      <table className={classes.offers}>
        <thead>
          <tr>
            <th scope="col">{t('why.supplier')}</th>
            <th scope="col" className={classes.number}>
              {t('rows.cost')}
            </th>
            <th scope="col" className={classes.number}>
              {t('why.quantity')}
            </th>
            <th scope="col">{t('why.rank')}</th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            <tr key={`${offer.supplier_id} ${offer.supplier_sku}`} className={offer.rank === 1 ? classes.best : ''}>
              <td>
                {offer.supplier_code ?? offer.supplier_id} <span className={classes.quiet}>{offer.supplier_sku}</span>
              </td>
              <td className={classes.number}>{offer.cost === null ? '–' : format.money(offer.cost, offer.currency)}</td>
              <td className={classes.number}>{format.number(offer.quantity)}</td>
              <td>
                {offer.rank === 1
                  ? t('why.best')
                  : offer.ineligible !== null
                    ? t(`why.ineligible.${offer.ineligible}`)
                    : offer.behind_best_by === null
                      ? ''
                      : t(`why.behind.${offer.behind_best_by}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A price line by line, in words. */
function Arithmetic({ price, isOnly }: { price: Price; isOnly: boolean }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const by = (text: string) => {
    if (text === 'minor_digits') return t('why.digits')
    if (text === 'minor_digits up') return t('why.digitsUp')
    if (text === 'minor_digits down') return t('why.digitsDown')
    return /^-?\d+(?:\.\d+)?$/.test(text) ? format.exactNumber(text) : text
  }
  const rule = price.rules.find(({ is_applied: isApplied }) => isApplied)
  return (
    <div>
      <h3>
        {isOnly ? t('why.price') : t('why.priceOf', { group: price.group })}
        {price.price === null ? '' : `: ${format.money(price.price, price.currency)}`}
      </h3>
      <p className={classes.quiet}>
        {rule === undefined ? t('why.noRule') : t('why.rule', { name: rule.name })}
        {price.held === null
          ? null
          : ` ${t('why.held', { price: format.money(price.held.wanted_price, price.currency) })}`}
      </p>
      {price.steps.length === 0 ? null : (
        <table className={classes.steps}>
          <thead>
            <tr>
              <th scope="col">{t('why.step')}</th>
              <th scope="col">{t('why.by')}</th>
              <th scope="col">{t('why.gives')}</th>
            </tr>
          </thead>
          <tbody>
            {price.steps.map((step, i) => (
              <tr key={i}>
                <td>{t(`why.steps.${step.step}`)}</td>
                <td className={classes.quiet}>
                  {t(`why.ops.${step.op}`)} {by(step.by)}
                </td>
                <td>{format.exactNumber(step.result)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
