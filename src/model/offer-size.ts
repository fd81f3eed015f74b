import type { OfferWrite } from './record-text.ts'

/** The parts of an offer that can be long. */
type Long = Pick<OfferWrite, 'texts' | 'attributes' | 'images' | 'imageAlts' | 'group'>

/** Rough number of characters in an offer's texts, attributes, pictures and group, as JSON. */
export function offerCharacters({ texts, attributes, images, imageAlts, group }: Long): number {
  let size = 0
  for (const locale in texts) {
    const fields: Readonly<Record<string, string | null>> = texts[locale] ?? {}
    for (const field in fields) size += fields[field]?.length ?? 0
  }
  // including the JSON around each value: rows of many short values are as long as rows of few long ones
  if (attributes !== undefined) for (const { key, value } of attributes) size += key.length + value.length + 22
  if (images !== undefined) for (const url of images) size += url.length + 3
  if (imageAlts !== undefined && imageAlts !== null) size += JSON.stringify(imageAlts).length
  if (group !== undefined && group !== null) size += JSON.stringify(group).length
  return size
}

/** The reason for refusing an offer, or its texts, attributes and pictures. */
export const tooLong = (characters: number, max: number): string =>
  `has ${characters.toLocaleString('en')} characters of texts, attributes and addresses of pictures, and at most ${max.toLocaleString('en')} are taken: shorten them`

/** A record without the parts that can be long. */
export function withoutContent<T extends Long & Pick<OfferWrite, 'keptAttributes'>>(record: T) {
  const { texts: _t, attributes: _a, keptAttributes: _k, images: _i, imageAlts: _l, group: _g, ...rest } = record
  return rest
}
