import { hash } from 'node:crypto'

/** What a picture's row is found by: the first half of the SHA-256 of its URL without fragment, written as a uuid. */
export function urlHashOf(url: string): string {
  const hex = hash('sha256', url, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** The host of a URL, with its port where it is not the usual one; the whole text where it has none. */
export function imageHostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 200)
}
