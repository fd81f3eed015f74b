import process from 'node:process'

/**
 * How much of something a random or heavy test does: less in the fast gate (`npm test`) than in the full one
 * (`npm run test:full`). SHELFWIRE_GATE=full in front of a command does as much as the full gate does.
 */
export function inGate<T>(fast: T, full: T): T {
  return process.env['SHELFWIRE_GATE'] === 'full' ? full : fast
}
