import { Counter } from 'prom-client'

/** Of this process, however many services it runs: whatever answers a problem counts it without knowing of figures. */
export const refusals = new Counter({
  name: 'shelfwire_refusals_total',
  help: 'Requests that were answered with a problem, by its code.',
  labelNames: ['code'],
  registers: [],
})

/** Counts a request that was answered with a problem. */
export const noteRefusal = (code: string): void => refusals.inc({ code })
