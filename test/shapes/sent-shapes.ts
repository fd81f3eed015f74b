import { expect } from 'vitest'
import type { MeasuredService } from './service-process.ts'

/**
 * Processor time of the main thread between two turns. The promise is 100 ms on an idle machine; the gate, which runs two files at a
 * time on shared processors, notices what keeps the event loop for seconds.
 */
const LONGEST_MS = 500
const RSS_BYTES = 3_000_000_000

/** Sends shapes, and asks what they did to the process that answers. */
export interface SentShapes {
  /** Sends once, and again where it took long: what is compiled and collected for the first time is no answer's fault. */
  send(name: string, send: () => Promise<Response>): Promise<void>
  /** What was seen until now. */
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
