import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ShelfwireError } from '../../platform/errors.ts'
import { gather, writeBundle } from './bundle.ts'
import { checksOf, openExisting, type Check } from '../installation/doctor.ts'
import { openPrinter } from '../console/print.ts'
import { readEnvironment } from '../console/run.ts'

/** Checks whose details are only figures; those of others name directories, hosts and places. */
const REPORTED = new Set(['memory', 'schema', 'clock', 'connections', 'secret key', 'archive'])

export function supportBundleCommand(program: Command): void {
  program
    .command('support-bundle')
    .description(
      'write what the maintainers of Shelfwire need to know about this installation into a .tar.gz, without secrets and without data of accounts; changes nothing',
    )
    .argument('[file]', 'where to write it (default: shelfwire-support-TIME.tar.gz in this directory)')
    .option('--log <file>', 'a file with the service’s log, whose last lines are included')
    .option('--json', 'print one JSON object')
    .action(async (given: string | undefined, options: { log?: string; json?: true }) => {
      const { settings, log } = readEnvironment('warn')
      const path = resolve(
        given ?? `shelfwire-support-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}.tar.gz`,
      )
      if (existsSync(path))
        throw new ShelfwireError('invalid-input', `${path} is there already: name another file, or remove it`, {
          faults: [{ name: 'file', reason: 'is there already' }],
        })
      if (options.log !== undefined && !existsSync(options.log))
        throw new ShelfwireError('invalid-input', `there is no file ${options.log}`, {
          faults: [{ name: '--log', reason: 'is no file' }],
        })
      const checks = await checksOf(settings, log)
      await using open = new AsyncDisposableStack()
      const db = await openExisting(settings, log, open).catch(() => null)
      const files = await gather({ settings, db, checks: checks.map(reportedCheck), logFile: options.log ?? null })
      const bytes = await writeBundle(path, files)
      const names = files.map(({ name }) => name)
      openPrinter(options.json === true).result(
        { file: path, bytes, files: names },
        `${path} has ${names.join(', ')}; look through it before you send it`,
      )
    })
}

function reportedCheck({ name, status, detail, advice }: Check): Record<string, unknown> {
  const isTold = REPORTED.has(name) || (name === 'database' && status === 'ok')
  return { name, status, detail: isTold ? detail : undefined, advice }
}
