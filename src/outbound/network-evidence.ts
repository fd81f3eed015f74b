import { LRUCache } from 'lru-cache'

/** What tells failures of our own network or name servers from those of one host. */
export interface Evidence {
  /** Something went well with `host`: with another one if asked about a failing one. */
  worked(host: string): void
  /** `host` failed. Answers whether that is ours, as far as anybody can know. */
  failedByUs(host: string): boolean
}

/**
 * A failure is the host's own when, since the host began to fail, the same has worked with another one, at most `freshMs`
 * ago; else it counts as ours. Success before that proves nothing: when our network goes down, everything worked until then.
 *
 * @param now milliseconds of a clock that never steps back
 */
export function openEvidence(options: { freshMs: number; hostsMax: number; now?: () => number }): Evidence {
  const now = options.now ?? (() => performance.now())
  const failingSince = new LRUCache<string, number>({ max: options.hostsMax })
  let lastGood = Number.NEGATIVE_INFINITY
  return {
    worked(host) {
      lastGood = now()
      failingSince.delete(host)
    },
    failedByUs(host) {
      const at = now()
      const since = failingSince.get(host)
      if (since === undefined) failingSince.set(host, at)
      return !(lastGood > (since ?? at) && at - lastGood <= options.freshMs)
    },
  }
}
