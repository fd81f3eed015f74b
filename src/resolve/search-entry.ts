import { SEARCHED_NAMES } from '../../contract/product-fields.ts'
import { eanWords, facetLexeme, keyWords, sortKey, wordLexeme, wordsOf } from '../model/search-words.ts'
import type { Basis } from './basis.ts'
import type { CompiledAccount } from './compile.ts'
import type { ProductInputs } from './inputs.ts'
import { findText } from './content/text.ts'

/** A product's entry in the panel's search index. */
export interface SearchEntry {
  /** In order, without the account prefix (model/search-words.ts). */
  lexemes: readonly string[]
  /** Sort keys. */
  skuKey: string
  titleKey: string
  isInStock: boolean
}

/**
 * A product is found by the titles in the locales of the account and its active stores, whether or not these list it (or by any title, which the
 * panel shows if there is no other: product-title.ts), by its SKUs (own, exported and suppliers'), EANs and the searched names
 * (contract/product-fields.ts). It depends on the locales of active stores but not on which of them list the product, so that a sweep of one store
 * computes all of it. @returns null for a deleted product. Pure.
 */
export function searchEntry(compiled: CompiledAccount, product: ProductInputs, basis: Basis): SearchEntry | null {
  if (product.isDeleted) return null
  const words = new Set<string>()
  const sources = compiled.sources.of('title', basis.sources)
  let title: string | null = null
  for (const locales of compiled.titleLocales) {
    const found = findText('title', locales, product.overrides, sources)?.value
    if (found === undefined) continue
    title ??= found
    for (const word of wordsOf(found)) words.add(word)
  }
  const keys = [product.sku, basis.sku, ...basis.sources.map((offer) => offer.supplierSku)]
  for (const key of new Set(keys)) if (key !== null) for (const word of keyWords(key)) words.add(word)
  for (const { ean } of product.eans) for (const word of eanWords(ean)) words.add(word)
  for (const field of SEARCHED_NAMES) {
    const name = basis.fields[field]?.value
    if (name !== undefined) for (const word of wordsOf(name)) words.add(word)
  }
  return {
    lexemes: [...Array.from(words, wordLexeme), ...facets(basis)].sort(),
    skuKey: sortKey(basis.sku),
    titleKey: sortKey(title),
    isInStock: basis.stock > 0,
  }
}

function facets({ facts }: Basis): string[] {
  const found = [...new Set(facts.supplierIds)].map((id) => facetLexeme('supplier', String(id)))
  if (facts.manufacturer !== null) found.push(facetLexeme('manufacturer', facts.manufacturer))
  // a category and all categories above it
  for (let path = facts.category; path !== null && path !== '';) {
    found.push(facetLexeme('category', path))
    const at = path.lastIndexOf('/')
    path = at < 0 ? null : path.slice(0, at)
  }
  return found
}
