import { destination, pino, type DestinationStream, type Logger } from 'pino'

/** The structured log: one JSON object per line on standard error; standard output is for a command's result. */
export type Log = Logger

/** pino's level names, accepted as LOG_LEVEL. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Opens the log. Tokens and secrets are redacted wherever a request is logged.
 * @param out the stream to write to; this process's standard error by default.
 */
export function openLog(level: (typeof LOG_LEVELS)[number], out?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: ['req.headers.authorization', 'headers.authorization', 'token', 'secret'],
    },
    out ?? destination({ fd: 2, sync: true }),
  )
}

/** A log that writes nothing. */
export const silentLog: Log = pino({ level: 'silent' })
