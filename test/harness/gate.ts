import process from 'node:process'

/**
 * Chooses how much a random or heavy test does: less in the fast gate (`npm test`) than in the full one
 * (`npm run test:full`). With SHELFWIRE_GATE=full before a command, it does as much as in the full gate.
 */
export function inGate<T>(fast: T, full: T): T {
  return process.env['SHELFWIRE_GATE'] === 'full' ? full : fast
}

/** In a gate every nth case, chosen by the seed. Without a seed, all cases. */
export function everyNth<T>(all: readonly T[], n: number): T[] {
  const seed = process.env['SEED']
  return seed === undefined ? [...all] : all.filter((_, i) => (i + Number(seed)) % n === 0)
}

/**
 * In a gate one case, chosen by the seed; for cases that differ only in a number, such as the passes of one point at which a process is
 * killed. Without a seed, all cases.
 */
export const inTurn = <T>(all: readonly T[]): T[] => everyNth(all, all.length)

/**
 * On the cluster a third of the cases, chosen by the seed: the database does the same in each of them, and a full gate runs all of them on a
 * single server. Without a seed, all cases.
 */
export function thirdOnCluster<T>(all: readonly T[]): T[] {
  const seed = process.env['SEED']
  return process.env['SHELFWIRE_TEST_SERVER'] !== 'citus' || seed === undefined
    ? [...all]
    : all.filter((_, i) => (i + Number(seed)) % 3 === 0)
}
