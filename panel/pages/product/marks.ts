import { useTranslation } from 'react-i18next'
import type { SourcedField } from '../../../contract/product-fields.ts'
import { useResources } from '../../api/resources.ts'
import { useAccount } from '../../session/account.ts'
import type { ProductExplanation } from './data.ts'

// The source of a value, in a word or two.

type Source = NonNullable<ProductExplanation['title']['source']>

/** Keys of the comparison's rows that can be opened. A price's is followed by its group, an attribute's by its key. */
export const ATTRIBUTE = 'attribute:'
export const NEW_ATTRIBUTE = 'new-attribute'
export const PRICE = 'price:'
export const SLUG = 'slug'

/** The name of a supplier; its code until the name is read. */
export function useSupplierName(): (why: Pick<ProductExplanation, 'offers'>, supplierId: number | null) => string {
  const { t } = useTranslation('product-edit')
  const { id } = useAccount()
  const { data: suppliers } = useResources(id, 'suppliers')
  return (why, supplierId) =>
    suppliers?.find((supplier) => supplier.id === supplierId)?.name ??
    why.offers.find((offer) => offer.supplier_id === supplierId)?.supplier_code ??
    t('mark.supplier')
}

/** The source of a value as text, for each row; null if no value is shown. */
export function useMarks() {
  const { t } = useTranslation('product-edit')
  const supplierOf = useSupplierName()
  const ofSource = (why: ProductExplanation, source: Source | null, locale: string) => {
    if (source === null) return t('mark.none')
    const name = source.from === 'override' ? t('mark.own') : supplierOf(why, source.supplier_id)
    const isOther = source.locale !== null && source.locale !== '' && source.locale !== '*' && source.locale !== locale
    return isOther ? `${name} · ${source.locale}` : name
  }
  return {
    supplierOf,
    ofField: (why: ProductExplanation, field: SourcedField, locale: string) => ofSource(why, why[field].source, locale),
    ofAttribute: (why: ProductExplanation, key: string, locale: string) =>
      ofSource(why, why.attributes.find((attribute) => attribute.key === key)?.source ?? null, locale),
    ofSku: (why: ProductExplanation) => t(why.sku.pattern === null ? 'mark.noPattern' : 'mark.pattern'),
    ofState({ listing, exclusion }: ProductExplanation) {
      if (!listing.is_listed) return t(`mark.listing.${listing.by}`)
      const [first] = exclusion.found
      return first === undefined ? t(`mark.listing.${listing.by}`) : t(`mark.exclusion.${first.by}`)
    },
    ofPrice(why: ProductExplanation, group: string) {
      if (why.base_cost === null) return t('mark.noCost')
      const price = why.prices.find((entry) => entry.group === group)
      if (price === undefined || price.applied_rule_id === null) return t('mark.noRule')
      if (price.held !== null) return t('mark.held')
      if (price.price_list !== null) return price.price_list.name
      return price.rules.find((rule) => rule.rule_id === price.applied_rule_id)?.name ?? t('mark.rule')
    },
    ofCost(why: ProductExplanation) {
      const cost = why.base_cost
      if (cost === null) return t('mark.none')
      return cost.source === 'best_offer' ? supplierOf(why, cost.supplier_id) : t('mark.ownStock')
    },
    ofStock(why: ProductExplanation) {
      const { own, best_supplier: supplied } = why.stock
      const best = why.offers.find((offer) => offer.rank === 1)
      const names = [
        ...(own > 0 ? [t('mark.ownStock')] : []),
        ...(supplied > 0 && best !== undefined ? [supplierOf(why, best.supplier_id)] : []),
      ]
      return names.length === 0 ? t('mark.none') : names.join(' + ')
    },
  }
}
