import type { ContentBody } from '../../../contract/schemas.ts'
import type { ImageCopy, ImageInput, ProductInputs } from '../inputs.ts'
import { urlsIn } from '../sourcing/sources.ts'

/** A picture of a product with its state. */
export interface ResolvedImage {
  /** The source's URL. */
  url: string
  /** `original`: the account does not mirror pictures. */
  state: ImageInput['state'] | 'original'
  /** Why it is dead, or why the last fetch failed. */
  reason: string | null
  /** The URL that clients read; null: left out. */
  shown: string | null
  /** Our copy, if it is the one shown. */
  copy: ImageCopy | null
}

/** The URL under which a picture's state is kept: without the fragment, which is never sent to a server. */
export function imageKey(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}

/** Keys (imageKey) of all pictures that offers or overrides of a product name, shown or not. */
export function namedImages({ isDeleted, offers, overrides }: ProductInputs): Set<string> {
  const named = new Set<string>()
  if (isDeleted) return named
  for (const { images } of offers) for (const url of images) named.add(imageKey(url))
  for (const { field, value } of overrides)
    if (field === 'images') for (const url of urlsIn(value) ?? []) named.add(imageKey(url))
  return named
}

/** Characters that could end an attribute, a tag or a string in a page that a client writes the URL into. */
const UNSAFE = /["'<>`]/g

/** An original's URL as it is served: unchanged, except that quotes, backquotes, `<` and `>` are percent-encoded. */
const servedUrl = (url: string): string =>
  url.replaceAll(UNSAFE, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Pictures with their states. A mirrored picture is shown by our URL, a dead one not at all, any other by its original URL. */
export function resolveImages(
  base: string | null,
  known: ProductInputs['images'],
  urls: readonly string[],
): readonly ResolvedImage[] {
  if (base === null)
    return urls.map((url) => ({ url, state: 'original', reason: null, shown: servedUrl(url), copy: null }))
  return urls.map((url): ResolvedImage => {
    const key = imageKey(url)
    const image = Object.hasOwn(known, key) ? known[key] : undefined
    if (image === undefined) return { url, state: 'pending', reason: null, shown: servedUrl(url), copy: null }
    const { state, path, reason, copy } = image
    if (state === 'dead') return { url, state, reason, shown: null, copy: null }
    if (state !== 'mirrored' || path === null) return { url, state, reason, shown: servedUrl(url), copy: null }
    return { url, state, reason, shown: `${base}${path}`, copy }
  })
}

/** The URLs that the payload shows, without duplicates: two originals may be the same picture, or be served under the same URL. */
export function shownImages(images: readonly ResolvedImage[]): readonly string[] {
  const shown = images.flatMap((image) => (image.shown === null ? [] : [image.shown]))
  return images.some(({ url, shown: served }) => served !== null && served !== url) ? [...new Set(shown)] : shown
}

type ImageDetails = NonNullable<ContentBody['image_details']>[number]

/** An entry for each of `shown`. If several source URLs show the same picture, it has the first alternative text among them. */
export function imageDetails(
  images: readonly ResolvedImage[],
  shown: readonly string[],
  altOf: (url: string) => string | null,
): ImageDetails[] {
  const found = new Map<string, ImageDetails>()
  for (const { url, shown: served, copy } of images) {
    if (served === null) continue
    const known = found.get(served)
    if (known !== undefined) known.alt ??= altOf(url)
    else
      found.set(served, {
        alt: altOf(url),
        width: copy?.width ?? null,
        height: copy?.height ?? null,
        type: copy?.type ?? null,
        hash: copy?.hash ?? null,
        is_mirrored: copy !== null,
      })
  }
  return shown.flatMap((url) => found.get(url) ?? [])
}
