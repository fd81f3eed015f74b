import type { Wanted, WantedVariant } from '../article/wanted.ts'
import type { Ownable } from '../options.ts'
import { assetsOf, isSame, otherNames, textsOf, urlsOf, type Known, type Plan } from './planned.ts'
import type { Id, ProductRow, VariantFields, VariantRow } from './rows.ts'

// Plans the variants of a product: which are made, which are disabled, and what is written to the others.

export function planVariants(plan: Plan, wanted: Wanted, found: ProductRow, known: Known): void {
  const isAlone = wanted.variants.length === 1
  const sources = new Map<number, VariantRow>()
  const gone: VariantRow[] = []
  for (const row of found.variants.toSorted((a, b) => Number(b.enabled) - Number(a.enabled))) {
    const { shelfwireId: source } = row.customFields
    // a variant without this field belongs to the shop
    if (source === null) continue
    if (sources.has(source) || wanted.variants.every((each) => each.source !== source)) gone.push(row)
    else sources.set(source, row)
  }
  const missing = wanted.variants.filter(({ source }) => !sources.has(source))
  for (const variant of missing) {
    plan.make.push({
      variant,
      optionIds: optionsOf(variant, found),
      assetIds: isAlone ? [] : assetsOf(variant.pictures, known),
    })
    plan.differences.push({ member: `variants.${variant.source}`, shop: null, shelfwire: 'there' })
  }
  const claimed = new Set(
    missing
      .map((variant) => ({ ids: optionsOf(variant, found), count: Object.keys(variant.options).length }))
      .flatMap(({ ids, count }) => (ids.length === count ? [textsOf(ids).toSorted().join()] : [])),
  )
  for (const row of gone) planGone(plan, row, claimed, known)
  for (const variant of wanted.variants) {
    const row = sources.get(variant.source)
    if (row !== undefined) planVariant(plan, variant, row, { found, known, isAlone })
  }
}

/** Disables a variant that no longer exists. It is deleted instead where a new variant needs its options, because no two may have the same. */
function planGone(plan: Plan, row: VariantRow, claimed: ReadonlySet<string>, { owns }: Known): void {
  const member = `variants.${row.customFields.shelfwireId}`
  const options = textsOf(row.options.map(({ id }) => id))
  if (claimed.has(options.toSorted().join())) {
    plan.drop.push(row.id)
    plan.differences.push({ member, shop: 'there', shelfwire: null })
  } else if (row.enabled && !owns('enabled')) {
    plan.update.push({ id: row.id, enabled: false })
    plan.differences.push({ member: `${member}.enabled`, shop: true, shelfwire: false })
  }
}

/** The ids of a variant's options. Options that do not exist yet are left out; the variant is planned anew when they do. */
const optionsOf = ({ options }: WantedVariant, { optionGroups }: ProductRow): Id[] =>
  Object.entries(options).flatMap(([group, value]) => {
    const option = optionGroups.find(({ code }) => code === group)?.options.find(({ code }) => code === value)
    return option === undefined ? [] : [option.id]
  })

interface Around {
  found: ProductRow
  known: Known
  isAlone: boolean
}

function planVariant(plan: Plan, wanted: WantedVariant, row: VariantRow, around: Around): void {
  const { found, known, isAlone } = around
  const update: Record<string, unknown> = {}
  const at = `variants.${wanted.source}`
  const owns = (field: Ownable) => known.owns(field, wanted.source)
  const set = (member: string, ownable: Ownable | null, shop: unknown, shelfwire: unknown, written: object) => {
    if ((ownable !== null && owns(ownable)) || isSame(shop, shelfwire)) return
    Object.assign(update, written)
    plan.differences.push({ member: `${at}.${member}`, shop, shelfwire })
  }
  set('enabled', 'enabled', row.enabled, wanted.enabled, { enabled: wanted.enabled })
  set('sku', null, row.sku, wanted.sku, { sku: wanted.sku })
  const translations = otherNames(wanted.names, row.translations)
  set('names', 'variant_names', [], translations, { translations })
  const optionIds = optionsOf(wanted, found)
  const has = row.options.map(({ id }) => id)
  set('options', null, textsOf(has).toSorted(), textsOf(optionIds).toSorted(), { optionIds })
  // a single variant shows the pictures of its product
  const assetIds = isAlone ? [] : assetsOf(wanted.pictures, known)
  const shown = row.assets.map(({ asset }) => asset.id)
  set('pictures', 'pictures', urlsOf(shown, known), urlsOf(assetIds, known), {
    assetIds,
    featuredAssetId: assetIds[0] ?? null,
  })
  const { taxCategoryId } = wanted
  set('tax_category', 'tax_categories', String(row.taxCategory.id), String(taxCategoryId), { taxCategoryId })
  planFields(plan, wanted, row, { at, owns, update })
  if (!owns('stock')) planStock(plan, wanted, row, { at, update })
  if (Object.keys(update).length > 0) plan.update.push({ id: row.id, ...update })
  if (!owns('channels')) planChannels(plan, wanted, row, { at, known })
  if (owns('prices')) return
  for (const price of wanted.prices) {
    const shop = row.productVariantPrices.find(
      ({ channelId, currencyCode }) => String(channelId) === String(price.channelId) && currencyCode === price.currency,
    )
    if (shop?.price === price.amount) continue
    plan.prices.push({ ...price, variantId: row.id })
    plan.differences.push({
      member: `${at}.prices.${price.channelId}.${price.currency}`,
      shop: shop?.price ?? null,
      shelfwire: price.amount,
    })
  }
}

const OF_PRICES: readonly (keyof VariantFields)[] = ['shelfwirePrices', 'shelfwireGroupPrices']

function planFields(
  plan: Plan,
  { fields }: WantedVariant,
  row: VariantRow,
  { at, owns, update }: { at: string; owns: (field: Ownable) => boolean; update: Record<string, unknown> },
): void {
  const customFields: Record<string, unknown> = {}
  for (const name of Object.keys(fields) as (keyof VariantFields)[]) {
    const isOfPrices = OF_PRICES.includes(name)
    if (name !== 'shelfwireId' && owns(isOfPrices ? 'prices' : 'customs')) continue
    const shop = isOfPrices ? (row.customFields[name] ?? []) : row.customFields[name]
    if (isSame(sorted(shop), sorted(fields[name]))) continue
    customFields[name] = fields[name]
    plan.differences.push({ member: `${at}.${name}`, shop, shelfwire: fields[name] })
  }
  if (Object.keys(customFields).length > 0) update['customFields'] = customFields
}

/** Sorts members by name, because the database does not keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function planStock(
  plan: Plan,
  { stock }: WantedVariant,
  { stockLevels }: VariantRow,
  { at, update }: { at: string; update: Record<string, unknown> },
): void {
  const levels: { stockLocationId: Id; stockOnHand: number }[] = []
  for (const [location, amount] of stock) {
    const has = stockLevels.find(({ stockLocationId }) => String(stockLocationId) === String(location))?.stockOnHand
    if ((has ?? 0) === amount) continue
    levels.push({ stockLocationId: location, stockOnHand: amount })
    plan.differences.push({ member: `${at}.stock.${location}`, shop: has ?? null, shelfwire: amount })
  }
  if (levels.length > 0) update['stockLevels'] = levels
}

function planChannels(
  plan: Plan,
  { channels }: WantedVariant,
  row: VariantRow,
  { at, known }: { at: string; known: Known },
): void {
  const has = row.channels.map(({ id }) => id).filter((id) => known.channels.has(String(id)))
  const texts = { shop: textsOf(has), shelfwire: textsOf(channels) }
  const assign = channels.filter((id) => !texts.shop.includes(String(id)))
  const remove = has.filter((id) => !texts.shelfwire.includes(String(id)))
  for (const channelId of assign) plan.assign.push({ variantId: row.id, channelId })
  for (const channelId of remove) plan.remove.push({ variantId: row.id, channelId })
  if (assign.length + remove.length > 0) plan.differences.push({ member: `${at}.channels`, ...texts })
}
