import type { ContentBody } from '../../contract/schemas.ts'
import { visible } from '../model/blank.ts'
import { showValue, type Definitions } from './attributes.ts'
import type { GroupPlace, OfferInput, ProductInputs, SupplierInput } from './inputs.ts'
import { fromOffer, type Found } from './sources.ts'
import { compareText } from './sourcing.ts'
import type { TextLocales } from './text.ts'

// The group of variants that a product belongs to. Which group it is, is registered when the product is shelved (src/shelf/product-groups.ts):
// statements of several suppliers are joined there. What the payload shows of it is found here, in the order of the sources.

type PayloadGroup = NonNullable<ContentBody['group']>

/** An offer that states a group. */
type Stating = OfferInput & { group: NonNullable<OfferInput['group']> }

const isStating = (offer: OfferInput): offer is Stating => offer.group !== null

/** What the offers of a product say of its group, each supplier and key once, in the order of the sources, with the product's position. */
export function statedPlaces(
  suppliers: ReadonlyMap<number, SupplierInput>,
  product: ProductInputs,
  general: (offers: readonly OfferInput[]) => readonly OfferInput[],
): Omit<GroupPlace, 'groupId'>[] {
  if (product.isDeleted) return []
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
 * The group as a store shows it: key, options and position each from the first source that states one, the title in the first locale that has one.
 * An option is labelled and shown like an attribute with its key, if the account defines one.
 */
export function findGroup(
  texts: TextLocales,
  definitions: Definitions,
  product: Pick<ProductInputs, 'groups'>,
  general: readonly OfferInput[],
): Found<PayloadGroup> | null {
  const [place] = product.groups
  if (place === undefined) return null
  const sources = general.filter(isStating)
  const [first] = sources
  if (first === undefined) return null
  const options = sources.find(({ group }) => group.options.length > 0)?.group.options ?? []
  const value = {
    id: place.groupId,
    key: first.group.key,
    title: findTitle(texts, sources),
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

function findTitle({ chain, isAnyAllowed }: TextLocales, sources: readonly Stating[]): string | null {
  const titleIn = (locales: readonly string[]) => {
    for (const locale of locales)
      for (const { group } of sources) {
        const title = visible(group.title[locale])
        if (title !== null) return title
      }
    return null
  }
  const found = titleIn(chain)
  if (found !== null || !isAnyAllowed) return found
  return titleIn([...new Set(sources.flatMap(({ group }) => Object.keys(group.title)))].sort(compareText))
}
