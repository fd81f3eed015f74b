import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import SMTPTransport from 'nodemailer/lib/smtp-transport'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

/** A mail as plain text. What it says is its caller's; that it says it in one header and one body is this file's. */
export interface MailMessage {
  /** Bare addresses, at least one. Several do not see each other. */
  to: readonly string[]
  subject: string
  text: string
  /** In angle brackets. The same one for a mail that is sent again, so that it is recognised. */
  messageId: string
  date: Date
}

/** A wrong password is mended by the operator, and the mail goes then. */
const LOGIN_REFUSED = [530, 534, 535, 538]

/**
 * What became of a mail. `isSent` with an error: some recipients were refused, the others have it. Not sent: `isPermanent`
 * after an answer of 5xx, so trying again is of no use; `isAnswered` false: the server was not reached, or did not answer in
 * time, so that nothing is known of this mail and little can be hoped of the next.
 */
export type SendResult =
  | 'sent'
  | { isSent: true; error: string }
  | { isSent: false; error: string; isPermanent: boolean; isAnswered: boolean }

export interface Mailer {
  /** Host of the sender's address, for Message-IDs. */
  readonly senderHost: string
  /** Sends within LIMITS.mailTotalTimeoutMs, over a connection of its own. Never throws. */
  send(message: MailMessage, signal?: AbortSignal): Promise<SendResult>
  close(): void
}

/**
 * Mail over SMTP. The server is the operator's own setting, so it may stand anywhere; parameters in the URL's query are
 * nodemailer's, such as `?tls.rejectUnauthorized=false`, and go before the time-outs set here.
 */
export function openMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  // the transport by name: nothing in the URL can ask for a pool, whose connections would be found dead at the next mail
  const transport = createTransport(
    new SMTPTransport({
      url: smtpUrl,
      connectionTimeout: LIMITS.mailConnectTimeoutMs,
      dnsTimeout: LIMITS.mailConnectTimeoutMs,
      greetingTimeout: LIMITS.mailGreetingTimeoutMs,
      socketTimeout: LIMITS.mailSocketTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  const inTime = () => AbortSignal.timeout(LIMITS.mailTotalTimeoutMs)
  return {
    senderHost: hostOf(from),
    async send({ to, subject, text, messageId, date }, signal) {
      const recipients = to.map((address) => ({ name: '', address }))
      try {
        const sent = await transport.sendMail({
          from,
          ...(recipients.length === 1 ? { to: recipients } : { to: 'undisclosed-recipients:;', bcc: recipients }),
          subject: oneLine(subject),
          text,
          messageId: oneLine(messageId),
          date,
          // out-of-office replies to it would be read by nobody
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: signal === undefined ? inTime() : AbortSignal.any([inTime(), signal]),
        })
        if (sent.rejected.length === 0) return 'sent'
        const answers = (sent.rejectedErrors ?? []).map((error) => error.message)
        return { isSent: true, error: tidy(`not taken for ${sent.rejected.join(', ')}: ${answers.join('; ')}`) }
      } catch (thrown) {
        const error = asError(thrown)
        const code = 'responseCode' in error ? Number(error.responseCode) : 0
        return {
          isSent: false,
          error: tidy(error.message),
          isPermanent: code >= 500 && !LOGIN_REFUSED.includes(code),
          isAnswered: code > 0,
        }
      }
    },
    close: () => transport.close(),
  }
}

/** A header has one line, whatever is put into it. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** What a server says as text that can be stored and shown on a terminal. */
function tidy(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, LIMITS.mailErrorLengthMax)
    .toWellFormed()
}

/** `Name <user@host>` or `user@host`. */
function hostOf(from: string): string {
  const [, host = ''] = /@([^\s@<>]+)>?\s*$/.exec(from) ?? []
  return domainToASCII(host) || 'localhost'
}
