import process from 'node:process'

/**
 * How much of something a random or heavy test does: less in the fast gate (`npm test`) than in the full one
 * (`npm run test:full`). SHELFWIRE_GATE=full in front of a command does as much as the full gate does.
 */
export function inGate<T>(fast: T, full: T): T {
  return process.env['SHELFWIRE_GATE'] === 'full' ? full : fast
}

/** Every nth of them in a gate, others at another seed. Without a seed it is all. */
export function everyNth<T>(all: readonly T[], n: number): T[] {
  const seed = process.env['SEED']
  return seed === undefined ? [...all] : all.filter((_, i) => (i + Number(seed)) % n === 0)
}

/**
 * In a gate one of them, at another seed another one: of cases that differ in a number alone, such as the passes of one point at which a
 * process is killed. Without a seed it is all.
 */
export const inTurn = <T>(all: readonly T[]): T[] => everyNth(all, all.length)

/**
 * On the cluster every third of them, another third at another seed: what the database does is the same in each of them, and a full gate
 * has tried all on one server. Without a seed it is all.
 */
export function thirdOnCluster<T>(all: readonly T[]): T[] {
  const seed = process.env['SEED']
  return process.env['SHELFWIRE_TEST_SERVER'] !== 'citus' || seed === undefined
    ? [...all]
    : all.filter((_, i) => (i + Number(seed)) % 3 === 0)
}
