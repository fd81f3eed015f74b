import type { FailureKind } from '../../outbound/failures.ts'
import { FetchError } from './fetched.ts'

/** Explains to the merchant what to do about a server that could not be reached or did not answer in full. */
export function connectionError(fault: FailureKind, detail: string): FetchError {
  const advice: Partial<Record<FailureKind, string>> = {
    blocked_address: 'use a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
    dns: 'check the host in the URL',
    refused: 'check host and port in the URL, or ask the supplier whether the server runs',
    tls: 'the certificate of the server must be valid and complete',
    reset: 'the file is not complete, and no part of it was imported',
    protocol: 'the file is not complete, or this is no HTTP server; nothing was imported',
  }
  const what = advice[fault]
  return new FetchError(fault, what === undefined ? detail : `${detail}: ${what}`, {
    isForGood: fault === 'blocked_address',
  })
}
