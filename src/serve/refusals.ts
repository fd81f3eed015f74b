import { Counter } from 'prom-client'

/** One counter per process, however many services run in it, so that code that answers with a problem needs no reference to metrics. */
export const refusals = new Counter({
  name: 'shelfwire_refusals_total',
  help: 'Requests that were answered with a problem, by its code.',
  labelNames: ['code'],
  registers: [],
})

/** Counts an answer with a problem. */
export const noteRefusal = (code: string): void => refusals.inc({ code })
