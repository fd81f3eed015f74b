import { LRUCache } from 'lru-cache'
import { entriesMax } from '../platform/caches/entries-max.ts'

/** Distinguishes failures of our own network or name servers from those of a single host. */
export interface Evidence {
  /** Records a success with `host`. */
  worked(host: string): void
  /** Records a failure of `host`. @returns whether the cause is most likely on our side. */
  failedByUs(host: string): boolean
}

/**
 * A failure counts as the host's own if another host has worked since this one began to fail, at most `freshMs` ago;
 * otherwise as ours. Earlier successes prove nothing: when our network goes down, everything had worked until then.
 * @param options.now milliseconds of a monotonic clock
 */
export function openEvidence(options: { freshMs: number; hostsMax: number; now?: () => number }): Evidence {
  const now = options.now ?? (() => performance.now())
  const failingSince = new LRUCache<string, number>(entriesMax(options.hostsMax))
  let lastSuccessAt = Number.NEGATIVE_INFINITY
  return {
    worked(host) {
      lastSuccessAt = now()
      failingSince.delete(host)
    },
    failedByUs(host) {
      const at = now()
      const since = failingSince.get(host)
      if (since === undefined) failingSince.set(host, at)
      return !(lastSuccessAt > (since ?? at) && at - lastSuccessAt <= options.freshMs)
    },
  }
}
