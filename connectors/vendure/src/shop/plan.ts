import type { Wanted } from '../article/wanted.ts'
import type { Ownable } from '../options.ts'
import { planVariants } from './plan-variants.ts'
import { assetsOf, isSame, otherNames, textsOf, urlsOf, type Known, type Plan, type Shown } from './planned.ts'
import type { Id, NameRow, ProductRow } from './rows.ts'

// Plans the changes that make a product of the shop what it should be. What is right already is not written.
// docs/decisions/189-a-vendure-article-is-one-transaction.md says why.

/** @param wanted null where no store lists the article: the product is disabled, not deleted, because orders refer to it */
export function planOf(wanted: Wanted | null, found: ProductRow | undefined, known: Known): Plan {
  const plan: Plan = {
    differences: [],
    makeProduct: null,
    product: {},
    removeGroups: [],
    makeGroups: [],
    makeOptions: [],
    nameGroups: [],
    nameOptions: [],
    drop: [],
    make: [],
    update: [],
    assign: [],
    remove: [],
    show: [],
    prices: [],
  }
  if (found === undefined) {
    if (wanted === null) return plan
    plan.makeProduct = wanted
    plan.differences.push({ member: 'product', shop: null, shelfwire: 'there' })
    return plan
  }
  if (wanted === null) {
    planGone(plan, found, known)
    return plan
  }
  planProduct(plan, wanted, found, known)
  planOptions(plan, wanted, found)
  planVariants(plan, wanted, found, known)
  planShown(plan, wanted, found, known)
  return plan
}

/** Whether a plan creates or deletes parts of the product: then the rest must be planned anew afterwards. */
export const isStructural = (plan: Plan): boolean =>
  plan.makeProduct !== null ||
  plan.removeGroups.length + plan.makeGroups.length + plan.makeOptions.length + plan.drop.length + plan.make.length > 0

function planGone(plan: Plan, found: ProductRow, { owns }: Known): void {
  if (!found.enabled || owns('enabled')) return
  plan.product['enabled'] = false
  plan.differences.push({ member: 'enabled', shop: true, shelfwire: false })
}

function planProduct(plan: Plan, wanted: Wanted, found: ProductRow, known: Known): void {
  const set = (member: string, ownable: Ownable, shop: unknown, shelfwire: unknown, written: object) => {
    if (known.owns(ownable) || isSame(shop, shelfwire)) return
    Object.assign(plan.product, written)
    plan.differences.push({ member, shop, shelfwire })
  }
  set('enabled', 'enabled', found.enabled, wanted.enabled, { enabled: wanted.enabled })
  planTexts(plan, wanted, found, known)
  const assetIds = assetsOf(wanted.pictures, known)
  const shown = found.assets.map(({ asset }) => asset.id)
  set('pictures', 'pictures', urlsOf(shown, known), urlsOf(assetIds, known), {
    assetIds,
    featuredAssetId: assetIds[0] ?? null,
  })
  for (const url of wanted.pictures)
    if (!known.pictures.has(url) && !known.owns('pictures'))
      plan.differences.push({ member: 'pictures', shop: null, shelfwire: url })
  const isOurs = ({ facetId }: { facetId: Id }) => String(facetId) === String(known.facetId)
  const categoryIds = wanted.categories.flatMap((id) => known.categories.get(String(id)) ?? [])
  const others = found.facetValues.filter((value) => !isOurs(value)).map(({ id }) => id)
  set(
    'categories',
    'categories',
    textsOf(found.facetValues.filter(isOurs).map(({ id }) => id)).toSorted(),
    textsOf(categoryIds).toSorted(),
    { facetValueIds: [...others, ...categoryIds] },
  )
}

function planTexts(plan: Plan, wanted: Wanted, found: ProductRow, { owns }: Known): void {
  const translations: object[] = []
  for (const { languageCode, name, description, slug, keptSlug } of wanted.texts) {
    const has = found.translations.find((each) => each.languageCode === languageCode)
    if (has === undefined) {
      translations.push({ languageCode, name, description, slug })
      plan.differences.push({ member: `texts.${languageCode}`, shop: null, shelfwire: name })
      continue
    }
    const written: Record<string, string> = {}
    const set = (member: 'name' | 'description' | 'slug', shelfwire: string) => {
      if (owns(member) || has[member] === shelfwire) return
      written[member] = shelfwire
      plan.differences.push({ member: `texts.${languageCode}.${member}`, shop: has[member], shelfwire })
    }
    set('name', name)
    set('description', description)
    // the shop adds a number where another of its products has the same slug
    if (keptSlug !== null && !new RegExp(`^${keptSlug}-\\d+$`).test(has.slug)) set('slug', keptSlug)
    if (Object.keys(written).length > 0) translations.push({ languageCode, ...written })
  }
  if (translations.length > 0) plan.product['translations'] = translations
}

function planOptions(plan: Plan, wanted: Wanted, found: ProductRow): void {
  for (const { id, code } of found.optionGroups)
    if (wanted.optionGroups.every((group) => group.code !== code)) {
      plan.removeGroups.push(id)
      plan.differences.push({ member: `options.${code}`, shop: 'there', shelfwire: null })
    }
  for (const group of wanted.optionGroups) {
    const has = found.optionGroups.find(({ code }) => code === group.code)
    if (has === undefined) {
      plan.makeGroups.push(group)
      plan.differences.push({ member: `options.${group.code}`, shop: null, shelfwire: 'there' })
      continue
    }
    planNames(plan, plan.nameGroups, `options.${group.code}`, group.names, has)
    for (const { code, names } of group.options) {
      const option = has.options.find((each) => each.code === code)
      const member = `options.${group.code}.${code}`
      if (option === undefined) {
        plan.makeOptions.push({ groupId: has.id, code, names })
        plan.differences.push({ member, shop: null, shelfwire: 'there' })
      } else planNames(plan, plan.nameOptions, member, names, option)
    }
  }
}

function planNames(
  plan: Plan,
  into: Plan['nameOptions'],
  member: string,
  wanted: readonly NameRow[],
  found: { id: Id; translations: NameRow[] },
): void {
  const names = otherNames(wanted, found.translations)
  if (names.length === 0) return
  into.push({ id: found.id, names })
  for (const { languageCode, name } of names) {
    const has = found.translations.find((each) => each.languageCode === languageCode)
    plan.differences.push({ member: `${member}.${languageCode}`, shop: has?.name ?? null, shelfwire: name })
  }
}

/** Plans to make pictures, option groups and options visible in the channels of their product. */
function planShown(plan: Plan, wanted: Wanted, found: ProductRow, { owns }: Known): void {
  if (owns('channels')) return
  const channels = new Map(wanted.variants.flatMap(({ channels: ids }) => ids.map((id) => [String(id), id] as const)))
  const show = (kind: Shown['kind'], { id, channels: has }: { id: Id; channels: { id: Id }[] }) => {
    const there = new Set(has.map((channel) => String(channel.id)))
    const lacks = [...channels].filter(([text]) => !there.has(text)).map(([, channelId]) => channelId)
    if (lacks.length === 0) return
    plan.show.push({ kind, id, channelIds: lacks })
    plan.differences.push({ member: `${kind}.${id}.channels`, shop: [...there], shelfwire: [...channels.keys()] })
  }
  for (const { asset } of found.assets) show('asset', asset)
  for (const group of found.optionGroups) {
    show('group', group)
    for (const option of group.options) show('option', option)
  }
}
