import { readAlt } from '../../input/image-alts.ts'
import { tooMany } from '../../input/list.ts'
import type { Verdict } from '../../input/verdict.ts'
import type { ImageAlts } from '../../model/image-alts.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { compileEach, type CellContext, type ReadList } from './cells.ts'
import type { Fields, Source } from '../mapping/mapping.ts'
import { countWork } from '../row-work.ts'
import type { Row } from '../rows.ts'

/** The pictures that a row states. For an undefined member, the known value is kept. */
interface StatedImages {
  images?: string[]
  imageAlts?: ImageAlts
}

/** The alternative texts in one locale: one reader for each source of pictures. */
interface AltSources {
  name: string
  locale: string
  each: readonly ReadList[]
}

/** The fields `image_alts` and `image_alts.<locale>` of a mapping, with their locales. @param locale of `image_alts` */
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
 * Reads pictures together with their alternative texts. A source of texts belongs to the source of pictures at the same position, and its
 * values to the pictures of that source, in their order. If the numbers of texts and pictures differ, it is unknown which text is for which
 * picture, and none is taken.
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
  const urlOf = (text: string, dropped: Fault[]): string | null => {
    countWork(100)
    const verdict = readUrl(text)
    if ('value' in verdict) return verdict.value
    dropped.push({ name: 'images', reason: verdict.reason })
    return null
  }
  return (row, dropped) => {
    // loops, not lists of lists: this runs for every row of a file
    const lists: (readonly string[] | undefined)[] = []
    let hasSource = false
    for (const read of each) {
      const list = read(row, dropped)
      if (list !== undefined) hasSource = true
      lists.push(list)
    }
    if (!hasSource) return {}
    const before = dropped.length
    const all: string[] = []
    const urls = lists.map((list) => {
      if (list === undefined) return undefined
      const read: (string | null)[] = []
      for (const text of list) {
        const url = text === '' ? null : urlOf(text, dropped)
        read.push(url)
        if (url !== null) all.push(url)
      }
      return read
    })
    const found = all.length < 2 ? all : [...new Set(all)]
    // as for any list: if no value can be read, the known pictures are kept
    if (found.length === 0 && dropped.length > before) return {}
    const max = LIMITS.imagesPerProductMax
    if (found.length > max)
      dropped.push({ name: 'images', reason: `${tooMany(found.length, max)}; the first ${max} are taken` })
    const images = found.length > max ? found.slice(0, max) : found
    const stated: [string, Record<string, string>][] = []
    for (const source of alts) {
      const texts = altsOf(source, urls, row, dropped)
      if (texts !== undefined) stated.push([source.locale, texts])
    }
    return stated.length === 0 ? { images } : { images, imageAlts: Object.fromEntries(stated) }
  }
}

/** The texts of one locale by the URL of their picture; undefined if the row states none, or none that can be read. */
function altsOf(
  { name, each }: AltSources,
  urls: readonly (readonly (string | null)[] | undefined)[],
  row: Row,
  dropped: Fault[],
): Record<string, string> | undefined {
  const before = dropped.length
  let isStated = false
  const texts = new Map<string, string>()
  for (let i = 0; i < each.length; i++) {
    const given = each[i]?.(row, dropped)
    if (given === undefined) continue
    isStated = true
    // without any text there is no mismatch
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
