import type { GroupBody, GroupedProduct, GroupRead } from '../../api/variant-groups.ts'

// The unsaved input for a group; pure.

export interface Draft extends Record<string, unknown> {
  /** By locale; an empty text is none. */
  title: Record<string, string>
  /** Empty: the options that suppliers state. */
  options: { key: string; labels: Record<string, string> }[]
  products: { id: number; options: Record<string, string> }[]
}

export const draftOf = ({ own, productIds }: GroupRead): Draft => ({
  title: textsOf(own?.data.title),
  options: (own?.data.options ?? []).map(({ key, labels }) => ({ key, labels: textsOf(labels) })),
  products:
    own?.data.products.map(({ product_id: id, options }) => ({ id, options: options ?? {} })) ??
    productIds.map((id) => ({ id, options: {} })),
})

const textsOf = (texts: Readonly<Record<string, string | null>> | null | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(texts ?? {}).map(([locale, text]) => [locale, text ?? '']))

/** Each product as the first store that lists it shows it. */
export function firstShown({ shown }: Pick<GroupRead, 'shown'>): ReadonlyMap<number, GroupedProduct> {
  return new Map(
    [...shown].reverse().flatMap(({ products }) => products.map((product) => [product.id, product] as const)),
  )
}

/** The options of the draft; if there are none, those that the products show. */
export function optionsOf(draft: Draft, found: ReadonlyMap<number, GroupedProduct>): Draft['options'] {
  if (draft.options.length > 0) return draft.options
  const keys = new Set([...found.values()].flatMap(({ group }) => (group?.options ?? []).map(({ key }) => key)))
  return [...keys].map((key) => ({ key, labels: {} }))
}

/** A product's value of an option: the typed one, otherwise the shown one. */
export function valueOf(
  product: Draft['products'][number],
  key: string,
  found: ReadonlyMap<number, GroupedProduct>,
): string {
  const own = Object.hasOwn(product.options, key) ? (product.options[key] ?? '').trim() : ''
  return own === '' ? (found.get(product.id)?.group?.options.find((option) => option.key === key)?.value ?? '') : own
}

/** Products that customers cannot tell apart, and products that lack an option that others have. */
export function faultsOf(
  draft: Draft,
  found: ReadonlyMap<number, GroupedProduct>,
): { alike: number[][]; lacking: { id: number; keys: string[] }[] } {
  const keys = optionsOf(draft, found).map(({ key }) => key)
  if (draft.products.length < 2) return { alike: [], lacking: [] }
  const rows = draft.products.map((product) => ({
    id: product.id,
    values: keys.map((key) => valueOf(product, key, found)),
  }))
  const used = keys.filter((_, i) => rows.some(({ values }) => values[i] !== ''))
  const lacking = rows.flatMap(({ id, values }) => {
    const without = keys.filter((key, i) => values[i] === '' && used.includes(key))
    return without.length > 0 || used.length === 0 ? [{ id, keys: without }] : []
  })
  const same = Map.groupBy(
    rows.filter(({ values }) => values.some((value) => value !== '')),
    ({ values }) => JSON.stringify(values),
  )
  return { alike: [...same.values()].filter((of) => of.length > 1).map((of) => of.map(({ id }) => id)), lacking }
}

/** The body of a save. @param before the draft of the stored group: texts that are gone are removed */
export function bodyOf({ title, options, products }: Draft, before: Draft): GroupBody {
  const kept = new Set(options.map(({ key }) => key.trim()))
  const removed = Object.fromEntries(Object.keys(before.title).map((locale) => [locale, null]))
  return {
    title: { ...removed, ...filled(title) },
    options: options.map(({ key, labels }) => ({ key: key.trim(), labels: filled(labels) })),
    products: products.map(({ id, options: values }) => ({
      product_id: id,
      options: Object.fromEntries(Object.entries(filled(values)).filter(([key]) => kept.has(key))),
    })),
  }
}

const filled = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
