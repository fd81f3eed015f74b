// Asking for a file only when it has changed.

/** How a server identifies a version of its file. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** The headers that ask for a file unless it is the version that these identify; none where it is wanted in any case. */
export function conditionalHeaders(validators: Validators | null): Record<string, string> {
  const headers: Record<string, string> = {}
  if (validators === null) return headers
  if (validators.etag !== null) headers['if-none-match'] = validators.etag
  if (validators.lastModified !== null) headers['if-modified-since'] = validators.lastModified
  return headers
}

/** What identifies the file of an answer. Kept to be sent back, so only where it is short and printable. */
export function validatorsOf({ etag, lastModified }: Validators): Validators {
  return { etag: sendable(etag), lastModified: sendable(lastModified) }
}

const sendable = (text: string | null) => (text !== null && /^[\x20-\x7e]{1,200}$/.test(text) ? text : null)
