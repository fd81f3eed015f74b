/** An EAN of the product, with its sources. */
export interface KnownEan {
  ean: string
  /** Whether it is the `ean` of payloads. */
  isPrimary: boolean
  isOwn: boolean
  /** Names of suppliers, without duplicates. */
  suppliers: string[]
}

/** Removes leading zeros, by which UPC, EAN and GTIN of the same number differ. */
const bare = (ean: string) => ean.replace(/^0+(?=.)/, '')

/** All EANs without duplicates, the primary one first. @param own the account's own EAN */
export function eansOf(
  primary: string | null,
  own: string | null,
  offers: readonly { supplier: { name: string }; eans: readonly string[] }[],
): KnownEan[] {
  const known = new Map<string, KnownEan>()
  const add = (ean: string): KnownEan => {
    const found = known.get(bare(ean)) ?? { ean, isPrimary: false, isOwn: false, suppliers: [] }
    known.set(bare(ean), found)
    return found
  }
  if (primary !== null) add(primary).isPrimary = true
  if (own !== null) add(own).isOwn = true
  for (const { supplier, eans } of offers)
    for (const ean of eans) {
      const { suppliers } = add(ean)
      if (!suppliers.includes(supplier.name)) suppliers.push(supplier.name)
    }
  return [...known.values()]
}
