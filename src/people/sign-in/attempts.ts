import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openRateLimit } from '../../platform/turns/rate-limit.ts'

/** Limits on guessing, per process. Each throws ShelfwireError rate-limited with the seconds to wait. */
export interface Attempts {
  /** Tries from one client address without a session. */
  ofAddress(address: string): void
  /** Passwords for one e-mail address, known or not, from browsers that are not known for it. */
  ofEmail(email: string): void
  /** Passwords from a browser in which the person has signed in before, so that strangers who try the address do not lock the person out. */
  ofDevice(device: string): void
  /** Passwords within one session, so that neither strangers nor the thief of another session's cookie can use up the tries. */
  ofSession(sessionId: number): void
  /** Codes for one person. */
  ofPerson(personId: number): void
  /** Mails to one e-mail address. */
  mailTo(email: string): void
  /** Invitations to one e-mail address, from all accounts together. */
  inviteTo(email: string): void
  /** Mails sent by one account. */
  mailOf(accountId: number): void
  /** Accounts opened by one person. */
  accountOf(personId: number): void
}

export function openAttempts(): Attempts {
  const limited = (secondsEach: number, atOnce: number, detail: string) => {
    const limit = openRateLimit<string | number>({ perSecond: 1 / secondsEach, burst: atOnce })
    return (key: string | number) => {
      const state = limit.take(key)
      if (state.isAllowed) return
      throw new ShelfwireError('rate-limited', detail, { retryAfterSeconds: Math.max(1, state.resetSeconds) })
    }
  }
  const ofEmail = limited(
    LIMITS.signInsPerEmailSeconds,
    LIMITS.signInsPerEmailAtOnce,
    'there were too many attempts for this e-mail address; see Retry-After',
  )
  const mailTo = limited(
    LIMITS.mailsPerEmailSeconds,
    LIMITS.mailsPerEmailAtOnce,
    'this e-mail address was mailed to too often; see Retry-After',
  )
  const inviteTo = limited(
    LIMITS.mailsPerEmailSeconds,
    LIMITS.mailsPerEmailAtOnce,
    'this e-mail address was invited too often; see Retry-After',
  )
  return {
    ofAddress: limited(
      LIMITS.signInsPerAddressSeconds,
      LIMITS.signInsPerAddressAtOnce,
      'there were too many attempts from your address; see Retry-After',
    ),
    ofEmail: (email) => ofEmail(email.toLowerCase().slice(0, LIMITS.emailLengthMax)),
    ofDevice: limited(
      LIMITS.signInsPerEmailSeconds,
      LIMITS.signInsPerEmailAtOnce,
      'there were too many attempts from this browser; see Retry-After',
    ),
    ofSession: limited(
      LIMITS.signInsPerEmailSeconds,
      LIMITS.signInsPerEmailAtOnce,
      'there were too many attempts for your password; see Retry-After',
    ),
    ofPerson: limited(
      LIMITS.signInCodesSeconds,
      LIMITS.signInCodesAtOnce,
      'there were too many wrong codes; see Retry-After',
    ),
    mailTo: (email) => mailTo(email.toLowerCase().slice(0, LIMITS.emailLengthMax)),
    inviteTo: (email) => inviteTo(email.toLowerCase().slice(0, LIMITS.emailLengthMax)),
    mailOf: limited(
      LIMITS.mailsPerAccountSeconds,
      LIMITS.mailsPerAccountAtOnce,
      'the account has sent too many invitations; see Retry-After',
    ),
    accountOf: limited(
      LIMITS.accountsPerPersonSeconds,
      LIMITS.accountsPerPersonAtOnce,
      'you have opened accounts too often; see Retry-After',
    ),
  }
}
