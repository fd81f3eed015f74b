// Conditional requests: a file is sent only if it has changed.

/** A server's identification of a version of its file. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** Headers that request a file only if it is not this version; none if `validators` is null. */
export function conditionalHeaders(validators: Validators | null): Record<string, string> {
  const headers: Record<string, string> = {}
  if (validators === null) return headers
  if (validators.etag !== null) headers['if-none-match'] = validators.etag
  if (validators.lastModified !== null) headers['if-modified-since'] = validators.lastModified
  return headers
}

/**
 * The version of a response's file. Texts that are long or not printable are dropped, because they are sent back later.
 */
export function validatorsOf({ etag, lastModified }: Validators): Validators {
  return { etag: sendable(etag), lastModified: sendable(lastModified) }
}

const sendable = (text: string | null) => (text !== null && /^[\x20-\x7e]{1,200}$/.test(text) ? text : null)
