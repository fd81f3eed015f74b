/** An EAN of the product, and who states it. */
export interface KnownEan {
  ean: string
  /** Whether stores read it as `ean`. */
  isPrimary: boolean
  isOwn: boolean
  /** Names of suppliers, each once. */
  suppliers: string[]
}

/** The same number is written with and without zeros in front: UPC, EAN and GTIN. */
const bare = (ean: string) => ean.replace(/^0+(?=.)/, '')

/** Every EAN once, the one that stores read first. @param own the one that the account set */
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
