import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { useResources } from '../../api/resources.ts'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './product.module.css'

const STATES = ['forSale', 'excluded', 'notListed'] as const
type State = (typeof STATES)[number]
const TONES: Readonly<Record<State, Tone>> = { forSale: 'good', excluded: 'warn', notListed: 'off' }

/** The main facts of a product: its price for shoppers, its stock, and which of the shown stores sell it. */
export function Headline({
  stores,
  products,
}: {
  stores: readonly CatalogStore[]
  products: readonly (StoreProduct | null)[]
}) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const { data: groups = [] } = useResources(useAccount().id, 'groups')
  const known = products.find((product) => product !== null)
  const publicGroup = groups.find(({ is_default: isDefault }) => isDefault)?.id
  const price = products
    .flatMap((product) => product?.prices ?? [])
    .find(({ customer_group_id: group }) => group === publicGroup)
  const namesOf = (state: State) =>
    stores.filter((_, i) => stateOf(products[i] ?? null) === state).map(({ name }) => name)
  return (
    <span className={classes.headline}>
      {price === undefined ? null : (
        <strong>
          {format.money(price.computed_price, price.currency)}
          {price.compare_at_price === undefined ? null : (
            <>
              {' '}
              <s>{format.money(price.compare_at_price, price.currency)}</s>
            </>
          )}
        </strong>
      )}
      {known === undefined ? null : (
        <span>{t('headline.stock', { count: known.stock, shown: format.number(known.stock) })}</span>
      )}
      {STATES.map((state) => {
        const names = namesOf(state)
        return names.length === 0 ? null : (
          <StateMark key={state} tone={TONES[state]}>
            {t(`headline.${state}`, { stores: format.list(names) })}
          </StateMark>
        )
      })}
    </span>
  )
}

const stateOf = (product: StoreProduct | null): State =>
  product === null ? 'notListed' : product.excluded ? 'excluded' : 'forSale'
