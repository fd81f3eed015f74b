import { must } from '../must.ts'

/**
 * Whether a Node version is an earlier release of the same major version as another, and so lacks its fixes. False for other major versions, of which
 * nothing is known.
 */
export function isEarlierInReleaseLine(running: string, tried: string): boolean {
  const [major, ...rest] = numbersOf(running)
  const [line, ...least] = numbersOf(tried)
  if (major !== line) return false
  const differs = rest.findIndex((part, i) => part !== least[i])
  return differs !== -1 && must(rest[differs]) < (least[differs] ?? 0)
}

const numbersOf = (version: string) => version.replace(/^v/, '').split('.').map(Number)
