const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}

/** What a picture is called in the shop, which judges a file by its name as well. */
export function pictureName(url: string, type: string): string {
  // escapes of others: what they stand for is not asked, because they may stand for nothing
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const stem = last
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/%[\dA-F]{2}|[^\w-]+/gi, '-')
    .replaceAll(/-{2,}/g, '-')
  return `${stem === '' ? 'picture' : stem.slice(0, 80)}.${ENDINGS[type] ?? type.slice('image/'.length).replace(/\W.*/, '')}`
}
