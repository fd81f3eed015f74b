import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import SMTPTransport from 'nodemailer/lib/smtp-transport'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { WrittenLanguage } from '../platform/text/written-language.ts'
import { answerText } from './answer-text.ts'
import { mailHtml } from './mail-html.ts'

/** A mail in plain text, from which its HTML part is made. The mailer prevents any field from adding headers to the message. */
export interface MailMessage {
  /** Bare addresses, at least one. Several recipients do not see each other (Bcc). */
  to: readonly string[]
  subject: string
  text: string
  /** The link of the mail, which must be a paragraph of the text; null: none. */
  link: string | null
  /** The language of subject and text. */
  language: WrittenLanguage
  /** In angle brackets. A mail that is sent again keeps its id, so that mail servers recognise the duplicate. */
  messageId: string
  date: Date
}

/** 5xx replies that are not permanent: once the operator has corrected the credentials, the mail can be sent. */
const LOGIN_REFUSED = [530, 534, 535, 538]

/**
 * The result of sending. `isSent` with an error: some recipients were refused, the others accepted. Not sent: `isPermanent` after a 5xx reply,
 * so that a retry is useless; `isAnswered` false if the server was not reached or did not reply in time, so that the next mail will most likely
 * fail as well.
 */
export type SendResult =
  | 'sent'
  | { isSent: true; error: string }
  | { isSent: false; error: string; isPermanent: boolean; isAnswered: boolean }

export interface Mailer {
  /** The host of the sender's address, for Message-IDs. */
  readonly senderHost: string
  /** Sends within LIMITS.mailTotalTimeoutMs, over a connection of its own. Never throws. */
  send(message: MailMessage, signal?: AbortSignal): Promise<SendResult>
  close(): void
}

/**
 * Opens a mailer over SMTP. The operator sets the server, so its address may be internal. Query parameters of the URL are
 * nodemailer's options, such as `?tls.rejectUnauthorized=false`, and override the timeouts set here.
 */
export function openMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  // SMTPTransport explicitly, so that the URL cannot request a pool, whose connections would be dead by the next mail
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
    async send({ to, subject, text, link, language, messageId, date }, signal) {
      const recipients = to.map((address) => ({ name: '', address }))
      try {
        const sent = await transport.sendMail({
          from,
          ...(recipients.length === 1 ? { to: recipients } : { to: 'undisclosed-recipients:;', bcc: recipients }),
          subject: oneLine(subject),
          text,
          html: mailHtml({ subject: oneLine(subject), text, link, language }),
          messageId: oneLine(messageId),
          date,
          // derived from the mail, so that a notice sent again is the same mail byte for byte; and hashed, so that nobody can write a text that
          // contains the boundary
          baseBoundary: createHash('sha256').update(messageId).update(subject).update(text).digest('hex').slice(0, 32),
          // suppresses out-of-office replies, which nobody would read
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: signal === undefined ? inTime() : AbortSignal.any([inTime(), signal]),
        })
        if (sent.rejected.length === 0) return 'sent'
        const answers = (sent.rejectedErrors ?? []).map((error) => error.message)
        return { isSent: true, error: tidy(`not accepted for ${sent.rejected.join(', ')}: ${answers.join('; ')}`) }
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

/** Prevents header injection: control characters become spaces. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

const tidy = (reply: string) => answerText(reply, LIMITS.mailErrorLengthMax)

/** `Name <user@host>` or `user@host`. */
function hostOf(from: string): string {
  const [, host = ''] = /@([^\s@<>]+)>?\s*$/.exec(from) ?? []
  return domainToASCII(host) || 'localhost'
}
