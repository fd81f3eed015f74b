import { destination, pino, type Logger } from 'pino'

/** The structured log: one JSON object a line on standard error, so that standard output stays the command's answer. */
export type Log = Logger

/** The names pino accepts as LOG_LEVEL. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Opens the log. Tokens and secrets are redacted wherever a request is logged. */
export function openLog(level: (typeof LOG_LEVELS)[number]): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: ['req.headers.authorization', 'headers.authorization', 'token', 'secret'],
    },
    destination({ fd: 2, sync: true }),
  )
}

/** A log that writes nothing. @internal for tests */
export const silentLog: Log = pino({ level: 'silent' })
