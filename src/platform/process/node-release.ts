import { must } from '../must.ts'

/**
 * Whether a Node is of the same line as another one, and an earlier release of it: it lacks what was mended since. Of other lines nobody here
 * knows what they have.
 */
export function isEarlierInLine(running: string, tried: string): boolean {
  const [major, ...rest] = numbersOf(running)
  const [line, ...least] = numbersOf(tried)
  if (major !== line) return false
  const differs = rest.findIndex((part, i) => part !== least[i])
  return differs !== -1 && must(rest[differs]) < (least[differs] ?? 0)
}

const numbersOf = (version: string) => version.replace(/^v/, '').split('.').map(Number)
