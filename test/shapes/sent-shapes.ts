import { expect } from 'vitest'
import type { MeasuredService } from './service-process.ts'

/**
 * Processor time of the main thread between two turns. The promise is 100 ms on an idle machine; a gate runs two files at a time
 * on shared processors, so it only detects blocks of more than this.
 */
const LONGEST_MS = 500
const RSS_BYTES = 3_000_000_000

/** Sends shapes, and measures their effect on the answering process. */
export interface SentShapes {
  /** Sends a shape, and again if it took long, because the first time may include compilation and garbage collection. */
  send(name: string, send: () => Promise<Response>): Promise<void>
  /** A summary of the measurements so far. */
  told(): string
}

export function openSentShapes(service: MeasuredService): SentShapes {
  let count = 0
  let most = 0
  let longest = { ms: 0, by: '' }
  return {
    async send(name, send) {
      count++
      let status = 0
      const once = async () =>
        await service.measure(async () => {
          const answer = await send()
          status = answer.status
          await answer.arrayBuffer()
        })
      let measured = await once()
      if (measured.longestMs > LONGEST_MS) measured = await once()
      most = Math.max(most, measured.rssBytes)
      if (measured.longestMs > longest.ms) longest = { ms: measured.longestMs, by: name }
      expect(service.ended(), name).toBeUndefined()
      expect(status, name).toBeGreaterThanOrEqual(200)
      expect([500, 502, 504], name).not.toContain(status)
      expect(measured.longestMs, name).toBeLessThan(LONGEST_MS)
      expect(measured.rssBytes, name).toBeLessThan(RSS_BYTES)
    },
    told: () =>
      `${count} sent; the longest block: ${longest.ms.toFixed(0)} ms, of ${longest.by}; memory: ${Math.round(most / 1e6)} MB`,
  }
}
