import { readAlt } from '../input/image-alts.ts'
import { tooMany } from '../input/list.ts'
import type { Verdict } from '../input/verdict.ts'
import type { ImageAlts } from '../model/image-alts.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { compileEach, type CellContext, type ReadList } from './cells.ts'
import type { Fields, Source } from './mapping.ts'
import { spend } from './row-work.ts'
import type { Row } from './rows.ts'

/** What a row states of its pictures; a member that is not stated is undefined, and what is known of it stays. */
interface StatedImages {
  images?: string[]
  imageAlts?: ImageAlts
}

/** The texts in one locale: for each source of pictures one of texts. */
interface AltSources {
  name: string
  locale: string
  each: readonly ReadList[]
}

/** `image_alts` and `image_alts.pl`; in which locale each is. */
export function altFields(
  fields: Fields,
  locale: string,
): { name: string; locale: string; source: Source | Source[] }[] {
  return Object.entries(fields).flatMap(([name, source]) => {
    const found = /^image_alts(?:\.(.+))?$/.exec(name)
    return found === null ? [] : [{ name, locale: found[1] ?? locale, source: source as Source | Source[] }]
  })
}

/**
 * Reads pictures together with what they show. A source of texts belongs to the source of pictures at the same place, and its values to the
 * pictures that this one has, in their order. Where there are not as many texts as pictures, nobody can tell which text is of which picture:
 * none of them is taken.
 * @param locale of `image_alts`
 */
export function compileImages(
  fields: Fields,
  locale: string,
  context: (name: string) => CellContext,
  readUrl: (url: string) => Verdict<string>,
): (row: Row, dropped: Fault[]) => StatedImages {
  const each = compileEach(fields.images ?? [], context('images'))
  const alts = altFields(fields, locale).map((field): AltSources => ({
    ...field,
    each: compileEach(field.source, context(field.name)),
  }))
  return (row, dropped) => {
    const lists = each.map((read) => read(row, dropped))
    if (lists.every((list) => list === undefined)) return {}
    const before = dropped.length
    const urls = lists.map((list) =>
      list?.map((text): string | null => {
        if (text === '') return null
        spend(100)
        const verdict = readUrl(text)
        if ('value' in verdict) return verdict.value
        dropped.push({ name: 'images', reason: verdict.reason })
        return null
      }),
    )
    const found = [...new Set(urls.flat().filter((url) => typeof url === 'string'))]
    // as of any list: where none of the values can be read, what is known stays
    if (found.length === 0 && dropped.length > before) return {}
    const max = LIMITS.imagesPerProductMax
    if (found.length > max)
      dropped.push({ name: 'images', reason: `${tooMany(found.length, max)}; the first ${max} are taken` })
    const images = found.slice(0, max)
    const stated = alts.flatMap((source) => {
      const texts = altsOf(source, urls, row, dropped)
      return texts === undefined ? [] : [[source.locale, texts] as const]
    })
    return stated.length === 0 ? { images } : { images, imageAlts: Object.fromEntries(stated) }
  }
}

/** The texts of one locale by URL; undefined where the row has none, or only such as cannot be read. */
function altsOf(
  { name, each }: AltSources,
  urls: readonly (readonly (string | null)[] | undefined)[],
  row: Row,
  dropped: Fault[],
): Record<string, string> | undefined {
  const before = dropped.length
  let isStated = false
  const texts = new Map<string, string>()
  for (const [i, read] of each.entries()) {
    const given = read(row, dropped)
    if (given === undefined) continue
    isStated = true
    // no text at all is no mismatch
    if (given.every((text) => text === '')) continue
    const named = urls[i] ?? []
    if (given.length !== named.length) {
      dropped.push({ name, reason: `has ${given.length} texts for ${named.length} pictures` })
      continue
    }
    for (const [at, url] of named.entries()) {
      if (url === null || texts.has(url)) continue
      const text = readAlt(given[at])
      if ('reason' in text) dropped.push({ name, reason: text.reason })
      else if (text.value !== null) texts.set(url, text.value)
    }
  }
  return !isStated || (texts.size === 0 && dropped.length > before) ? undefined : Object.fromEntries(texts)
}
