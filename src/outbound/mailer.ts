import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import SMTPTransport from 'nodemailer/lib/smtp-transport'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { WrittenLanguage } from '../platform/text/written-language.ts'
import { answerText } from './answer-text.ts'
import { mailHtml } from './mail-html.ts'

/** An e-mail in plain text, from which its HTML part is made. The mailer makes sure that no field can add headers to the message. */
export interface MailMessage {
  /** Bare addresses, at least one. Several recipients do not see each other (Bcc). */
  to: readonly string[]
  subject: string
  text: string
  /** Where it leads, which is a paragraph of the text; null where it leads nowhere. */
  link: string | null
  /** Of subject and text. */
  language: WrittenLanguage
  /** In angle brackets. A mail that is sent again keeps its id, so that mail servers recognise the duplicate. */
  messageId: string
  date: Date
}

/** Replies of 5xx that are not permanent: the operator fixes the credentials, and the mail can be sent then. */
const LOGIN_REFUSED = [530, 534, 535, 538]

/**
 * The result of sending. `isSent` with an error: some recipients were refused, the others accepted. Not sent: `isPermanent`
 * after a 5xx reply, so a retry is useless; `isAnswered` false: the server was not reached or did not reply in time, so the
 * next mail will most likely fail too.
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
 * Opens a mailer over SMTP. The operator sets the server, so its address may be internal. Query parameters of the URL are
 * nodemailer's options, such as `?tls.rejectUnauthorized=false`, and override the timeouts set here.
 */
export function openMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  // SMTPTransport by name, so that the URL cannot ask for a pool: its connections would be dead by the next mail
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
          // the same each time, so that a notice that is sent again is the same mail byte for byte. It follows from the text, so that nobody can
          // write a text in which the boundary occurs.
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
