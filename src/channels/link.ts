import { LIMITS } from '../platform/limits.ts'

/** The values for a link template's placeholders {sku}, {id} and {ean}; the template is the URL of a product's page in a shop. */
export type LinkValues = Readonly<Record<'sku' | 'id' | 'ean', string | null>>

const PLACEHOLDER = /\{(sku|id|ean)\}/g

/** What is wrong with a template; null if nothing is. */
export function linkTemplateFault(template: string): string | null {
  if (template.length > LIMITS.urlLengthMax) return `must have at most ${LIMITS.urlLengthMax} characters`
  // the URL parser would drop line breaks and tabs, and encode other white space
  if (/\s/.test(template) || !template.isWellFormed()) return 'must not contain white space or broken characters'
  const filled = template.replace(PLACEHOLDER, '1')
  if (/[{}]/.test(filled)) return 'must have no other placeholders than {sku}, {id} and {ean}'
  if (filled === template) return 'must contain {sku}, {id} or {ean}, or every product would have the same address'
  const url = URL.canParse(filled) ? new URL(filled) : null
  if (url === null || !/^https?:\/\//i.test(template))
    return 'must be an http or https URL such as https://shop.example.com/p/{sku}'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  // values are encoded for a path or query; in a host they could form the address of another host
  if (/^[^/?#]*\{/.test(template.slice(template.indexOf('//') + 2))) return 'must not contain a placeholder in its host'
  return null
}

/** The URL of a product's page; null without a template, or if the product lacks the value of a placeholder. */
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
