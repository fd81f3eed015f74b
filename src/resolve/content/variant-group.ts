import type { ContentBody } from '../../../contract/schemas.ts'
import { visible } from '../../model/blank.ts'
import { showValue, type Definitions } from './attributes.ts'
import type { GroupPlace, OfferInput, OwnGroupInput, ProductInputs, SupplierInput } from '../inputs.ts'
import { fromOffer, type Found } from '../sourcing/sources.ts'
import { compareText } from '../sourcing/sourcing.ts'
import type { TextLocales } from './text.ts'

// The variant group of a product as its payload shows it. Which group it is has been registered by shelving (src/shelf/inputs/product-groups.ts),
// which joins the statements of several suppliers; key, title and options are found here, in source order.

type PayloadGroup = NonNullable<ContentBody['group']>

/** An offer that states a group. */
type Stating = OfferInput & { group: NonNullable<OfferInput['group']> }

const isStating = (offer: OfferInput): offer is Stating => offer.group !== null

/** The supplier id of the owner's statements. */
const BY_HAND = 0

/** The group id of the owner's statement, which is its key; null for a supplier's statement. */
export const ownGroupId = ({ supplierId, key }: Pick<GroupPlace, 'supplierId' | 'key'>): number | null =>
  supplierId === BY_HAND ? Number(key) : null

/**
 * The statements about a product's group: the owner's alone if there is one, otherwise those of its offers, each supplier and key once in source
 * order, with the product's position.
 */
export function statedGroupPlaces(
  suppliers: ReadonlyMap<number, SupplierInput>,
  product: ProductInputs,
  general: (offers: readonly OfferInput[]) => readonly OfferInput[],
): Omit<GroupPlace, 'groupId'>[] {
  if (product.isDeleted) return []
  const { ownGroup } = product
  if (ownGroup !== null) {
    const { groupId, position } = ownGroup
    return groupId === null ? [] : [{ supplierId: BY_HAND, key: String(groupId), position }]
  }
  const stating = product.offers.filter((offer) => isStating(offer) && suppliers.has(offer.supplierId))
  if (stating.length === 0) return []
  const sources = general(stating).filter(isStating)
  const position = positionOf(sources)
  const places = new Map(
    sources.map(({ supplierId, group: { key } }) => [`${supplierId} ${key}`, { supplierId, key, position }]),
  )
  return [...places.values()]
}

const positionOf = (sources: readonly Stating[]) =>
  sources.find(({ group }) => group.position !== null)?.group.position ?? 0

/**
 * The group as a store shows it: key, options and position each from the first source that states one, the title in the first locale that has one. An
 * option is labelled and shown like an attribute with its key, if the account defines one.
 */
export function findGroup(
  texts: TextLocales,
  definitions: Definitions,
  product: Pick<ProductInputs, 'groups' | 'ownGroup'>,
  general: readonly OfferInput[],
): Found<PayloadGroup> | null {
  const [place] = product.groups
  if (place === undefined) return null
  const sources = general.filter(isStating)
  if (product.ownGroup !== null)
    return { value: byHand(texts, definitions, place, product.ownGroup, sources), source: OWN }
  const [first] = sources
  if (first === undefined) return null
  const options = sources.find(({ group }) => group.options.length > 0)?.group.options ?? []
  const value = {
    id: place.groupId,
    key: first.group.key,
    title: findTitle(texts, titlesOf(sources)),
    position: positionOf(sources),
    options: options.map(({ key, label, value }, i) => ({
      key,
      label: definitions.of(key)?.label ?? label ?? key,
      value: showValue(key, value, definitions),
      position: i + 1,
    })),
  }
  return fromOffer(value, first)
}

const OWN = { from: 'override', locale: '' } as const
const titlesOf = (sources: readonly Stating[]) => sources.map(({ group }) => group.title)

/**
 * A group by hand. Title, options and values that the owner leaves open are the suppliers'; if the owner names options, suppliers' other options are
 * left out.
 */
function byHand(
  texts: TextLocales,
  definitions: Definitions,
  place: GroupPlace,
  own: OwnGroupInput,
  sources: readonly Stating[],
): PayloadGroup {
  const stated = sources.find(({ group }) => group.options.length > 0)?.group.options ?? []
  const statedOf = new Map(stated.map((option) => [option.key, option]))
  const named = own.options.length > 0 ? own.options : stated.map(({ key }) => ({ key, labels: {} }))
  const options = named.flatMap(({ key, labels }) => {
    const option = statedOf.get(key)
    const value = Object.hasOwn(own.values, key) ? own.values[key] : option?.value
    if (value === undefined) return []
    const label = findTitle(texts, [labels]) ?? definitions.of(key)?.label ?? option?.label ?? key
    return [{ key, label, value: showValue(key, value, definitions) }]
  })
  const isTitled = Object.keys(own.title).length > 0
  return {
    id: place.groupId,
    key: place.key,
    title: findTitle(texts, isTitled ? [own.title] : titlesOf(sources)),
    position: place.position,
    options: options.map((option, i) => ({ ...option, position: i + 1 })),
  }
}

/** The first text of the first locale that has one; in any other locale if that is allowed. */
function findTitle(
  { chain, isAnyAllowed }: TextLocales,
  titles: readonly Readonly<Record<string, string>>[],
): string | null {
  const titleIn = (locales: readonly string[]) => {
    for (const locale of locales)
      for (const title of titles) {
        const text = visible(title[locale])
        if (text !== null) return text
      }
    return null
  }
  const found = titleIn(chain)
  if (found !== null || !isAnyAllowed) return found
  return titleIn([...new Set(titles.flatMap((title) => Object.keys(title)))].sort(compareText))
}
