import { readUrl } from '../input/url.ts'
import type { Verdict } from '../input/verdict.ts'

/** An absolute URL. A relative path is joined to `base` with one slash; `//host/path` becomes https. Blanks are encoded (readUrl). */
export function absoluteUrl(text: string, base: string | undefined): Verdict<string> {
  if (text.startsWith('//')) return readUrl(`https:${text}`)
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return readUrl(text)
  if (base !== undefined) return readUrl(`${base.replace(/\/+$/, '')}/${text.replace(/^\/+/, '')}`)
  const verdict = readUrl(text)
  return 'reason' in verdict ? { reason: `${verdict.reason}: set "imageBaseUrl" in the mapping` } : verdict
}
