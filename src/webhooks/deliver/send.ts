import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Exchange, Outbound } from '../../outbound/client.ts'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { remembered } from '../../platform/caches/remembered.ts'
import type { Seal } from '../../platform/secrets/seal.ts'
import { sealContext } from '../secret.ts'
import { sign } from '../../outbound/signature.ts'
import type { Claim } from './step.ts'

/** Returns the key of an account's sealed secret. @throws ShelfwireError `settings-invalid` if it cannot be opened */
export type SigningKeys = (accountId: number, sealed: string) => KeyObject

/** The number of cached keys, including previous ones during rotations: several times the number of deliveries in flight. */
const KEYS_MAX = 1_000

/** Opens each sealed secret once, because an endpoint's deliveries are all signed with the same one. */
export function openSigningKeys(seal: Seal): SigningKeys {
  const keyOf = remembered(KEYS_MAX, (of: string) => {
    const [accountId, sealed = ''] = of.split(' ')
    return createSecretKey(Buffer.from(seal.open(sealed, sealContext(Number(accountId)))))
  })
  return (accountId, sealed) => keyOf(`${accountId} ${sealed}`)
}

/**
 * Signs a frozen body with the current time and posts it. Never throws: an error here is reported as our own fault. @param traceparent of the
 * delivery's span, if tracing is on
 */
export async function send(
  outbound: Outbound,
  keys: SigningKeys,
  log: Log,
  accountId: number,
  claim: Claim,
  signal: AbortSignal,
  traceparent?: string,
): Promise<Exchange> {
  const began = performance.now()
  try {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signed = (secret: string) => sign(keys(accountId, secret), timestamp, claim.body)
    const { main, next, previous } = claim.signers
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-signature': signed(main),
      'x-service-delivery': claim.delivery.deliveryId,
    }
    if (next !== null) headers['x-service-signature-next'] = signed(next)
    if (previous !== null) headers['x-service-signature-previous'] = signed(previous)
    if (traceparent !== undefined) headers['traceparent'] = traceparent
    if (claim.delivery.origin === 'test') headers['x-service-test'] = '1'
    return await outbound.send({
      method: 'POST',
      url: claim.url,
      headers,
      body: claim.body,
      connectTimeoutMs: LIMITS.webhookConnectTimeoutMs,
      totalTimeoutMs: LIMITS.webhookTotalTimeoutMs,
      readBytesMax: LIMITS.webhookAnswerReadBytesMax,
      signal,
      // an edit raises the generation, so that a new connection is made
      key: `${accountId}.${claim.endpointId}.${claim.generation}`,
    })
  } catch (error) {
    log.error({ err: asError(error), accountId, endpointId: claim.endpointId }, 'a delivery could not be signed')
    return {
      kind: 'failed',
      fault: 'local',
      isOurs: true,
      detail: 'the delivery could not be prepared',
      durationMs: performance.now() - began,
    }
  }
}
