import type { Mapping } from '../mapping/mapping.ts'

/** The amount or the currency of the first of these price types that an article has. */
const bmecatPrice = (member: 'amount' | 'currency', types: readonly string[]) => ({
  first: types.map((type) => ({
    tiers: 'prices',
    price: member,
    from: 'lower',
    where: { column: 'type', in: [type] },
  })),
})
/** The types of prices without taxes, the customer's own first. */
const BMECAT_COSTS = ['net_customer', 'net_customer_exp', 'net_list', 'nrp']
/** The nonbinding recommended price. */
const BMECAT_RECOMMENDED = ['nrp']
const bmecatPiece = (types: readonly string[]) => ({
  calc: 'price / per',
  of: { price: bmecatPrice('amount', types), per: { column: 'price_quantity', default: '1' } },
})

/**
 * A BMEcat catalog, 1.2 or 2005. Costs are of one piece: the price is divided by the price quantity. The format has no stock: it is read
 * from an extension with such a name (`UDX.….STOCK`). Without one, a deleted article gets the quantity 0, and others keep theirs.
 */
export const BMECAT: Mapping = {
  format: 'bmecat',
  locale: 'de',
  fields: {
    sku: 'sku',
    cost: bmecatPiece(BMECAT_COSTS),
    cost_tiers: BMECAT_COSTS.map((type) => ({
      tiers: 'prices',
      from: 'lower',
      price: 'amount',
      currency: 'currency',
      per: { column: 'price_quantity', default: '1' },
      where: { column: 'type', in: [type] },
    })),
    currency: bmecatPrice('currency', BMECAT_COSTS),
    list_price: { join: [bmecatPiece(BMECAT_RECOMMENDED), bmecatPrice('currency', BMECAT_RECOMMENDED)] },
    quantity: { when: { column: 'mode', in: ['delete'] }, use: { constant: '0' }, else: { first: ['stock'] } },
    title: 'title',
    description: 'description',
    manufacturer: 'manufacturer',
    category: { first: ['category'] },
    ean: 'ean',
    images: 'images',
    image_alts: 'image_alts',
    mpn: 'manufacturer_sku',
    country_of_origin: 'country_of_origin',
    hs_code: 'customs_number',
    net_content: 'content',
    weight: 'weight',
    // in metres; the format's depth is our height
    length: { column: 'length', optional: true, suffix: ' m' },
    width: { column: 'width', optional: true, suffix: ' m' },
    height: { column: 'depth', optional: true, suffix: ' m' },
    attributes: [{ list: 'features', name: 'name', value: 'value', unit: 'unit' }],
  },
}
