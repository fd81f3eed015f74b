const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}

/** The file name of a picture in the shop. Its ending is made from the media type, because the shop checks both. */
export function pictureName(url: string, type: string): string {
  // percent escapes are replaced, not decoded, because they may be invalid
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const stem = last
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/%[\dA-F]{2}|[^\w-]+/gi, '-')
    .replaceAll(/-{2,}/g, '-')
  return `${stem === '' ? 'picture' : stem.slice(0, 80)}.${ENDINGS[type] ?? type.slice('image/'.length).replace(/\W.*/, '')}`
}
