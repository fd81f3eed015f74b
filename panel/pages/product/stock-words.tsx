import { useTranslation } from 'react-i18next'
import { useFormats } from '../../words/format.ts'
import type { ProductExplanation } from './data.ts'
import { useSupplierName } from './marks.ts'
import { Steps } from './price-words.tsx'
import classes from './product.module.css'

/** How the stock is computed, line by line. */
export function StockWords({ why: { stock, offers } }: { why: ProductExplanation }) {
  const { t } = useTranslation(['product', 'product-edit'])
  const format = useFormats()
  const supplierOf = useSupplierName()
  const best = offers.find((offer) => offer.rank === 1)
  return (
    <div>
      <h3>{t('why.stock')}</h3>
      <table className={classes.steps}>
        <tbody>
          <tr>
            <td>{t('product-edit:stockLine.own')}</td>
            <td />
            <td>{format.number(stock.own)}</td>
          </tr>
          {best === undefined ? (
            <tr>
              <td>{t('product-edit:stockLine.noOffer')}</td>
              <td />
              <td>{format.number(stock.best_supplier)}</td>
            </tr>
          ) : (
            <tr>
              <td>{t('product-edit:stockLine.best', { supplier: supplierOf({ offers }, best.supplier_id) })}</td>
              <td className={classes.quiet}>
                {best.safety_buffer === 0
                  ? t('product-edit:stockLine.reported', { reported: format.number(best.reported_quantity) })
                  : t('product-edit:stockLine.buffered', {
                      reported: format.number(best.reported_quantity),
                      buffer: format.number(best.safety_buffer),
                    })}
              </td>
              <td>{format.number(stock.best_supplier)}</td>
            </tr>
          )}
          <tr>
            <td>{t('product-edit:stockLine.total')}</td>
            <td />
            <td>{format.number(stock.total)}</td>
          </tr>
        </tbody>
      </table>
      <p className={classes.quiet}>{t('product-edit:stockLine.note')}</p>
    </div>
  )
}

/** The cost from which prices are made, and the reason for it. */
export function CostWords({ why }: { why: ProductExplanation }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const { base_cost: cost, offers } = why
  return (
    <div>
      <h3>{t('why.cost')}</h3>
      <p>
        {cost === null
          ? t('why.noCost')
          : t(`why.costFrom.${cost.source}`, { amount: format.money(cost.amount, cost.currency) })}
      </p>
      {cost === null || cost.steps.length < 2 ? null : <Steps steps={cost.steps} />}
      <Offers offers={offers} />
    </div>
  )
}

function Offers({ offers }: { offers: ProductExplanation['offers'] }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const supplierOf = useSupplierName()
  if (offers.length === 0) return <p className={classes.quiet}>{t('why.noOffers')}</p>
  return (
    <div>
      <h3 className={classes.second}>{t('why.offers')}</h3>
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
                {supplierOf({ offers }, offer.supplier_id)} <span className={classes.quiet}>{offer.supplier_sku}</span>
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

/** How the SKU is made, part by part. */
export function SkuWords({ why: { sku } }: { why: ProductExplanation }) {
  const { t } = useTranslation('product-edit')
  return (
    <div>
      <h3>SKU</h3>
      <p>
        {sku.pattern === null ? t('sku.own') : t('sku.pattern', { pattern: sku.pattern })}
        {sku.missing === null ? '' : ` ${t('sku.missing', { placeholder: sku.missing })}`}
      </p>
      {sku.steps.length === 0 ? null : (
        <table className={classes.steps}>
          <tbody>
            {sku.steps.map((step, i) => (
              <tr key={i}>
                <td>{step.placeholder}</td>
                <td className={classes.quiet}>{step.value ?? '–'}</td>
                <td>{step.result ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
