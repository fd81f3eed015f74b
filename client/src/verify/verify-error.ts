/** A mirror that cannot be compared as it is. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
  /** not-filled: a mirror has to be filled first. cursor-ahead: the service was restored from a backup older than the mirror. */
  readonly code: 'not-filled' | 'cursor-ahead'

  constructor(code: 'not-filled' | 'cursor-ahead', message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
