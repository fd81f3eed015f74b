import { hash } from 'node:crypto'

/** The key of a picture's row: the first half of the SHA-256 of its URL without fragment, written as a UUID. */
export function urlHashOf(url: string): string {
  const hex = hash('sha256', url, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** The host of a URL, with its port unless it is the default one; the beginning of the text if it is no URL. */
export function imageHostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 200)
}
