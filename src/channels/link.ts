import { LIMITS } from '../platform/limits.ts'

/** Addresses of products' pages in a shop, made from a template with {sku}, {id} and {ean}. */
export type LinkValues = Readonly<Record<'sku' | 'id' | 'ean', string | null>>

const PLACEHOLDER = /\{(sku|id|ean)\}/g

/** What is wrong with a template, or null. */
export function linkTemplateFault(template: string): string | null {
  if (template.length > LIMITS.urlLengthMax) return `must have at most ${LIMITS.urlLengthMax} characters`
  // the URL parser would drop line ends and tabs, and encode the rest
  if (/\s/.test(template) || !template.isWellFormed()) return 'must not hold white space or broken characters'
  const filled = template.replace(PLACEHOLDER, '1')
  if (/[{}]/.test(filled)) return 'knows the placeholders {sku}, {id} and {ean} alone'
  if (filled === template) return 'must hold {sku}, {id} or {ean}, or every product would have the same address'
  const url = URL.canParse(filled) ? new URL(filled) : null
  if (url === null || !/^https?:\/\//i.test(template))
    return 'must be an http or https URL such as https://shop.example.com/p/{sku}'
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password'
  // a value is encoded for a path or a query: in a host it would name somebody else's
  if (/^[^/?#]*\{/.test(template.slice(template.indexOf('//') + 2))) return 'must not hold a placeholder in its host'
  return null
}

/** The address of a product; null without a template, and where the product has not what it asks for. */
export function fillLink(template: string | null, values: LinkValues): string | null {
  if (template === null) return null
  let isWhole = true
  const link = template.replace(PLACEHOLDER, (_, name: keyof LinkValues) => {
    const value = values[name]
    if (value === null || value === '') isWhole = false
    return encodeURIComponent((value ?? '').toWellFormed())
  })
  return isWhole ? link : null
}
