import { NAME_FIELDS, TEXT_FIELDS } from '../../../../contract/product-fields.ts'
import { plainDecimal } from '../../../model/money.ts'
import type { CostTier, OfferGroup } from '../../../model/offer.ts'
import type { OfferBefore, OfferContent } from '../../../catalog/products/offers/offer-state.ts'

/** Characters of a value that are shown; longer ones are cut. */
const CHARACTERS_SHOWN = 400

/** A field that a run changed, with its values before the run and now. `name` is as in the API, with the language or key after a point. */
export interface ChangedField {
  name: string
  before: string | null
  now: string | null
}

/**
 * The fields that a run changed and that still differ from their earlier values: cost tiers, texts, names, attributes, pictures and EANs.
 * @param now undefined: the offer was deleted.
 */
export function changedFields(
  before: Pick<OfferBefore, 'content' | 'eans' | 'costTiers'>,
  now: (OfferContent & { eans: readonly string[]; costTiers?: readonly CostTier[] | null }) | undefined,
): ChangedField[] {
  const old = new Map([
    ['cost_tiers', tiersText(before.costTiers)] as const,
    ...(before.content === undefined ? [] : contentTexts(before.content)),
    ...(before.eans === undefined ? [] : [['eans', before.eans.join(', ')] as const]),
  ])
  const present = new Map([
    ['cost_tiers', tiersText(now?.costTiers)] as const,
    ...(now === undefined || before.content === undefined ? [] : contentTexts(now)),
    ...(now === undefined || before.eans === undefined ? [] : [['eans', now.eans.join(', ')] as const]),
  ])
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name) || null, present.get(name) || null]
    return was === is ? [] : [{ name, before: cut(was), now: cut(is) }]
  })
}

const tiersText = (tiers: readonly CostTier[] | null | undefined): string =>
  (tiers ?? []).map(({ quantity, cost }) => `${quantity}: ${plainDecimal(cost)}`).join(', ')

function contentTexts(content: OfferContent): (readonly [name: string, text: string])[] {
  return [
    ...NAME_FIELDS.map((name) => [name, content[name] ?? ''] as const),
    ...Object.entries(content.texts).flatMap(([locale, texts]) =>
      TEXT_FIELDS.map((field) => [`${field}.${locale}`, texts[field] ?? ''] as const),
    ),
    ...content.attributes.map(({ key, value }) => [`attributes.${key}`, value] as const),
    ['images', content.images.join(' ')] as const,
    ...Object.entries(content.imageAlts ?? {}).flatMap(([locale, texts]) =>
      Object.entries(texts).map(([url, text]) => [`image_alts.${locale}.${url}`, text] as const),
    ),
    ...groupTexts(content.group ?? null),
  ]
}

function groupTexts(group: OfferGroup | null): (readonly [name: string, text: string])[] {
  if (group === null) return []
  return [
    ['group.key', group.key],
    ...Object.entries(group.title).map(([locale, title]) => [`group.title.${locale}`, title] as const),
    ...group.options.map(
      ({ key, label, value }) => [`group.options.${key}`, label === null ? value : `${label}: ${value}`] as const,
    ),
    ['group.position', group.position === null ? '' : String(group.position)],
  ]
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= CHARACTERS_SHOWN) return text
  // does not cut a surrogate pair in half
  return `${text.slice(0, CHARACTERS_SHOWN).replace(/[\ud800-\udbff]$/, '')} …`
}
