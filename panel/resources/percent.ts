// Converts a share of 1 to a percentage and back, as text, so that no digit is lost.

const NUMBER = /^(\d+)(?:\.(\d+))?$/

/** 0.125 becomes 12.5. */
export function percentOf(share: string): string {
  const found = NUMBER.exec(share.trim())
  if (found === null) return share
  const [, whole = '', part = ''] = found
  const digits = part.padEnd(2, '0')
  return tidy(`${whole}${digits.slice(0, 2)}`, digits.slice(2))
}

/** 12.5 and 12,5 become 0.125. Other texts stay as they are, and the service refuses them. */
export function shareOf(percent: string): string {
  const found = NUMBER.exec(percent.trim().replace(',', '.'))
  if (found === null) return percent
  const [, whole = '', part = ''] = found
  const digits = whole.padStart(3, '0')
  return tidy(digits.slice(0, -2), `${digits.slice(-2)}${part}`)
}

function tidy(whole: string, part: string): string {
  const rest = part.replace(/0+$/, '')
  const left = whole.replace(/^0+(?=\d)/, '')
  return rest === '' ? left : `${left}.${rest}`
}
