import { inTransaction, type Db } from '../db/sql.ts'
import type { Outbound } from '../outbound/client.ts'
import { nowMs } from '../platform/time/clock.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { bankFetchClaim, bankFetchFailed, bankRatesStore, newestBankRates } from './bank-rates.sql.ts'
import { BankFailure } from './failure.ts'
import { expectedDay } from './plan.ts'
import { readBankRates, type BankRates } from './read-file.ts'

export interface BankContext {
  db: Db
  log: Log
  outbound: Outbound
  /** The URL of the European Central Bank's daily file. */
  url: string
}

const DAY_MS = 86_400_000

/**
 * Requests the bank's rates while the expected ones are missing, at most once an hour, by one process at a time. If the bank does not answer, or
 * sends anything but its file, nothing changes; the failure is logged and shown at /metrics.
 * @returns the newest known rates; null: there are none.
 */
export async function currentBankRates(context: BankContext, signal: AbortSignal): Promise<BankRates | null> {
  const { db, log } = context
  const known = await newestBankRates(db)
  if (known !== null && known.day >= expectedDay(new Date(nowMs()))) return known
  if (!(await inTransaction(db, (tx) => bankFetchClaim(tx, LIMITS.bankRatesAskMs)))) return known
  try {
    const rates = ratesIn(await fileOf(context, signal))
    await inTransaction(db, (tx) => bankRatesStore(tx, rates, LIMITS.bankRatesDaysMax))
    log.info({ day: rates.day, currencies: rates.rates.size }, 'exchange rates of the European Central Bank are here')
  } catch (error) {
    if (signal.aborted) return known
    const failure = asError(error).message.slice(0, LIMITS.bankRatesFailureLengthMax)
    // a failure that is not the bank's, such as one of the database, has no kind
    const kind = error instanceof BankFailure ? error.kind : null
    await inTransaction(db, (tx) => bankFetchFailed(tx, kind, failure))
    log.warn(
      { failure },
      kind === null
        ? 'exchange rates of the European Central Bank could not be fetched or kept; those that are known stay'
        : 'the European Central Bank has given no exchange rates; those that are known stay',
    )
  }
  return newestBankRates(db)
}

/** Downloads the file. @throws BankFailure that says what was received instead */
async function fileOf({ outbound, url }: BankContext, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await outbound.send({
    method: 'GET',
    url,
    headers: { accept: 'application/xml, text/xml' },
    connectTimeoutMs: LIMITS.bankRatesConnectTimeoutMs,
    totalTimeoutMs: LIMITS.bankRatesTotalTimeoutMs,
    readBytesMax: LIMITS.bankRatesBytesMax,
    signal,
    key: 'bank rates',
  })
  if (answer.kind === 'failed') throw new BankFailure('unreachable', answer.detail)
  if (answer.status !== 200) throw new BankFailure('refused', `it answered with status ${answer.status}`)
  if (answer.isCut) throw new BankFailure('unusable', `its file has more than ${LIMITS.bankRatesBytesMax} bytes`)
  return answer.body
}

/** Reads the rates in the file. @throws BankFailure that says what is wrong with it */
function ratesIn(file: Uint8Array): BankRates {
  try {
    const rates = readBankRates(new TextDecoder('utf-8', { fatal: true }).decode(file))
    // rates of a future day would block those of all days before it
    if (rates.day > new Date(nowMs() + DAY_MS).toISOString().slice(0, 10))
      throw new Error(`its day, ${rates.day}, is in the future`)
    return rates
  } catch (error) {
    throw new BankFailure('unusable', asError(error).message)
  }
}
