import { readUrl } from '../../input/url.ts'
import { quoted, type Verdict } from '../../input/verdict.ts'
import { isNothing } from '../no-value.ts'

const WWW = /^www\.(?:[a-z0-9-]+\.)+[a-z]{2,}\/./i

/** Words for a missing picture, or an error of a spreadsheet such as `#REF!`. */
const NO_PICTURE =
  /^(?:#.*|0|x|(?:no|kein|ohne|sans|sin|brak|bez|geen|žádný|nessuna?) (?:image|picture|photo|foto|bild|imagen|zdjęcia|zdjęcie|obrázek|obrázku|afbeelding|immagine)|(?:bild |foto |photo |image )?(?:folgt|coming soon))[.!]?$/iu

/**
 * Reads the absolute URL of a picture. `//host/path` and `www.host/path` become https; another relative path is joined
 * to `base` with one slash. Blanks are encoded (readUrl). Words for a missing picture (`-`, `n/a`) are refused, and not
 * taken for a path.
 */
export function absoluteUrl(text: string, base: string | undefined): Verdict<string> {
  // nearly all texts are absolute URLs, and none of these means that there is no picture
  if (/^https?:\/\//i.test(text)) return readUrl(text)
  if (isNothing(text) || NO_PICTURE.test(text)) return { reason: `${quoted(text)} is no address of a picture` }
  if (WWW.test(text)) return readUrl(`https://${text}`)
  if (text.startsWith('//')) return readUrl(`https:${text}`)
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return readUrl(text)
  if (base !== undefined) return readUrl(`${base.replace(/\/+$/, '')}/${text.replace(/^\/+/, '')}`)
  const verdict = readUrl(text)
  return 'reason' in verdict ? { reason: `${verdict.reason}: set "imageBaseUrl" in the mapping` } : verdict
}
