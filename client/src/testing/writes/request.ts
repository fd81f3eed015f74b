import { Problem } from '../problem.ts'
import type { Fault, Shape } from './body-shapes.ts'

// Reads a write as the service does: its body, its Idempotency-Key and its preconditions.

const JSON_TYPES = /^application\/(?:json|merge-patch\+json)(?:;|$)/
const KEY_LENGTH_MAX = 255

const LINE_TYPES = /^application\/(?:x-ndjson|jsonl)(?:;|$)/

/**
 * @param hasLines whether rows may be sent as lines of JSON
 * @throws Problem unsupported-media-type, bad-request
 */
export function parsedBody(method: string, headers: Headers, text: string, hasLines = false): unknown {
  const type = headers.get('content-type') ?? ''
  if (hasLines && LINE_TYPES.test(type)) return { rows: linesOf(text) }
  if (text === '') return undefined
  if (!JSON_TYPES.test(type)) throw new Problem('unsupported-media-type', 'send the body as application/json')
  if (method !== 'PATCH' && /merge-patch/.test(type))
    throw new Problem('unsupported-media-type', 'a merge patch goes with PATCH; send the body as application/json')
  if (text.trim() === '') throw new Problem('bad-request', 'the body is empty; send JSON')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem(
      'bad-request',
      `the body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
    )
  }
}

/** @throws Problem bad-request, naming the line */
function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line, i): unknown[] => {
    if (line === '' || line === '\r') return []
    try {
      return [JSON.parse(line)]
    } catch (error) {
      throw new Problem(
        'bad-request',
        `line ${i + 1}: the row is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
      )
    }
  })
}

/** @throws Problem invalid-input, naming every member that does not fit */
export function requireShape(body: unknown, shape: Shape, noun: string): Record<string, unknown> {
  refuse(noun, shape(body, ''))
  return body as Record<string, unknown>
}

/** @throws Problem invalid-input where there are faults */
export function refuse(noun: string, faults: readonly Fault[]): void {
  const [first] = faults
  if (first !== undefined) throw new Problem('invalid-input', `${noun}: ${first.name} ${first.reason}`, { faults })
}

/** The Idempotency-Key; null without one. @throws Problem invalid-parameters */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key')
  if (key === null || (/^[\x21-\x7e]+$/.test(key) && key.length <= KEY_LENGTH_MAX)) return key
  throw new Problem('invalid-parameters', `Idempotency-Key must be 1 to ${KEY_LENGTH_MAX} visible ASCII characters`, {
    faults: [{ name: 'Idempotency-Key', reason: 'is not well formed' }],
  })
}

/** Checks If-Match and If-None-Match. @param tag of the present resource; null: there is none. @throws Problem precondition-failed */
export function requireMatch(headers: Headers, tag: string | null): void {
  const [wanted, unwanted] = [headers.get('if-match'), headers.get('if-none-match')]
  if (wanted !== null && !isAmong(wanted, tag))
    throw new Problem(
      'precondition-failed',
      tag === null
        ? 'there is nothing at this address that If-Match could name'
        : 'it was changed since the ETag that If-Match names; read it again and repeat the change on what it is now',
    )
  if (unwanted !== null && isAmong(unwanted, tag))
    throw new Problem('precondition-failed', 'there is something at this address already, which If-None-Match forbids')
}

function isAmong(header: string, tag: string | null): boolean {
  if (tag === null) return false
  return header.trim() === '*' || header.split(',').some((entry) => entry.trim() === tag)
}

/** Checks that members which a body cannot set are sent as they were read, if at all. @throws Problem invalid-input */
export function requireEchoed(
  noun: string,
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
  current: object,
  reason = 'is assigned and cannot be set',
): void {
  const now = current as Readonly<Record<string, unknown>>
  const isSame = (name: string) => JSON.stringify(body[name]) === JSON.stringify(now[name])
  const differing = names.filter((name) => body[name] !== undefined && !isSame(name))
  refuse(
    noun,
    differing.map((name) => ({ name, reason })),
  )
}
