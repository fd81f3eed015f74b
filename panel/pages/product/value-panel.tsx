import { useTranslation } from 'react-i18next'
import { isSourcedField } from '../../../contract/product-fields.ts'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Loaded } from '../../components/loaded.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { useAccount } from '../../session/account.ts'
import { useFieldNames } from '../../words/field-names.ts'
import { AttributeValue } from './attribute-value.tsx'
import { useOwn } from './data.ts'
import { useEditing } from './editing.tsx'
import { FieldValue } from './field-value.tsx'
import { ATTRIBUTE, NEW_ATTRIBUTE, PRICE, SLUG } from './marks.ts'
import { OwnCost } from './fixed-price.tsx'
import { PriceWords } from './price-words.tsx'
import { SkuForm, StateForm } from './own-form.tsx'
import { SlugForm } from './slug-form.tsx'
import { StateWords } from './state-words.tsx'
import { StockForm } from './stock-form.tsx'
import { CostWords, SkuWords, StockWords } from './stock-words.tsx'

/** One value of a product in one store: its candidates, its explanation, and the form for an own value. */
export function ValuePanel({
  value,
  store,
  title,
  open,
  close,
}: {
  value: string
  store: CatalogStore
  /** The product's title. */
  title: string
  /** Opens another value instead. */
  open: (value: string) => void
  close: () => void
}) {
  const { t } = useTranslation(['product-edit', 'product'])
  const account = useAccount()
  const { productId } = useEditing()
  const own = useOwn(account.id, productId)
  const explained = useRead('GET /v1/products/{id}/explain', {
    accountId: account.id,
    params: { id: productId },
    query: { store: store.slug },
  })
  return (
    <SidePanel title={t('value.title', { value: useName(value), store: store.name })} close={close}>
      <Loaded query={own}>
        {(read) => (
          <Loaded query={explained}>
            {({ data: why }) => {
              if (isSourcedField(value))
                return <FieldValue field={value} store={store} why={why} read={read} close={close} />
              if (value === NEW_ATTRIBUTE || value.startsWith(ATTRIBUTE))
                return (
                  <AttributeValue
                    attribute={value === NEW_ATTRIBUTE ? null : value.slice(ATTRIBUTE.length)}
                    store={store}
                    read={read}
                    close={close}
                  />
                )
              if (value.startsWith(PRICE))
                return (
                  <PriceWords why={why} group={value.slice(PRICE.length)} store={store} title={title} open={open} />
                )
              if (value === 'cost')
                return (
                  <>
                    <CostWords why={why} />
                    <OwnCost note={t('fixed.costNote')} open={open} />
                  </>
                )
              if (value === 'sku')
                return (
                  <>
                    <SkuWords why={why} />
                    <SkuForm read={read} close={close} />
                  </>
                )
              if (value === SLUG) return <SlugForm store={store} read={read} close={close} />
              if (value === 'stock')
                return (
                  <>
                    <StockWords why={why} />
                    <StockForm close={close} />
                  </>
                )
              return (
                <>
                  <StateWords why={why} />
                  <StateForm store={store} read={read} close={close} />
                </>
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </SidePanel>
  )
}

function useName(value: string): string {
  const { t } = useTranslation(['product-edit', 'product'])
  const fieldName = useFieldNames()
  if (value === NEW_ATTRIBUTE) return t('attribute.new')
  if (value.startsWith(ATTRIBUTE)) return value.slice(ATTRIBUTE.length)
  if (value.startsWith(PRICE)) return t('product:rows.priceOf', { group: value.slice(PRICE.length) })
  if (value === 'sku' || isSourcedField(value)) return fieldName(value)
  if (value === SLUG) return t('slug.name')
  if (value === 'cost' || value === 'stock') return t(`product:rows.${value}`)
  return t('product:rows.state')
}
