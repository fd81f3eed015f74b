import { basename, resolve } from 'node:path'
import { EXIT, failureOf, usage } from './failure.ts'
import { checkSources, type OpenedMirror } from './mirror-source.ts'
import { openMirror } from './opened-mirror.ts'
import {
  chosenStores,
  JSON_HELP,
  JSON_OPTION,
  MIRROR_HELP,
  MIRROR_OPTIONS,
  openService,
  parsed,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type Service,
} from './options.ts'
import { count, counted, Output } from './output.ts'
import { repair } from '../verify/repair.ts'
import type { Comparison, Finding } from '../verify/comparison.ts'
import { differingIn, isMirrorName, reportMirrorCheck } from '../verify/report-mirror-check.ts'
import { compare } from '../verify/verify.ts'

const COMPARED = `Every product of the mirror is compared with the service, byte for byte, by digests of 1,024 products each: what is equal is not read. It is compared
as of the last change that the mirror has read: what has changed since is not compared, so a mirror may be followed and the catalog changed
meanwhile. Exit code 1: not equal.`

export const VERIFY = {
  summary: 'compare a mirror with the service, and repair it',
  help: `Usage: shelfwire-client verify (--sqlite FILE | --dir DIRECTORY) --url URL [options]

${COMPARED}

${MIRROR_HELP}
  --repair             read again what is missing or different, and remove what the service does not have
  --name NAME          what the mirror is called where the account is told what was found; the name of its file or directory unless it is given
  --no-report          do not tell the account
${SERVICE_HELP}
${JSON_HELP}`,
}

export const DIFF = {
  summary: 'show what differs between a mirror and the service, member by member',
  help: `Usage: shelfwire-client diff (--sqlite FILE | --dir DIRECTORY) --url URL [options]

${COMPARED}

${MIRROR_HELP}
  --limit NUMBER       show at most so many products of a store; 100 unless it is given
${SERVICE_HELP}
${JSON_HELP}`,
}

/** A name that the service accepts, made from the last part of the mirror's path. */
function nameOf(place: string): string {
  const shown = basename(resolve(place))
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
  // cut between code points: the service refuses half of a surrogate pair
  return Array.from(shown).slice(0, 100).join('').trim() || 'mirror'
}

/** How many ids of each kind `verify` prints. */
const NAMED = 20
const LIMIT = 100

export async function verify(args: readonly string[], ending: AbortSignal): Promise<number> {
  const values = parsed(args, {
    ...JSON_OPTION,
    ...SERVICE_OPTIONS,
    ...MIRROR_OPTIONS,
    repair: { type: 'boolean' },
    name: { type: 'string' },
    'no-report': { type: 'boolean' },
  })
  const isRepairing = values.repair === true
  if (values.name !== undefined && !isMirrorName(values.name))
    throw usage('--name takes 1 to 100 characters, with no blanks around them')
  const output = new Output(values.json === true)
  const service = await openService(values, ending)
  const mirror = await openMirror(values, isRepairing ? 'repair' : 'read')
  const { shelf } = service
  const { target } = mirror
  const tellOf = async ({ store, cursor, ...found }: Comparison) => {
    if (values['no-report'] === true) return
    const differing = differingIn(found)
    const name = values.name ?? nameOf(mirror.place)
    const isTold = await reportMirrorCheck(shelf, { store, mirror: name, cursor, differing, signal: ending })
    if (!isTold)
      output.event('not-told', { store }, `${store}: the account could not be told, so the panel does not show it`)
  }
  return comparing({ service, mirror, output, values, detailed: 0, ending }, async (comparison) => {
    const isEqual = printEquality(output, comparison)
    if (isEqual || !isRepairing) {
      await tellOf(comparison)
      return isEqual
    }
    const { written, removed } = await repair(shelf, target, comparison, ending)
    const { store } = comparison
    output.event(
      'repaired',
      { store, written, removed },
      `${store}: repaired: ${counted(written, 'product', 'products')} written, ${count(removed)} removed`,
    )
    if (values['no-report'] !== true)
      await tellOf(await compare({ shelf, target, store, detailed: 0, onProgress() {}, signal: ending }))
    return true
  })
}

export async function diff(args: readonly string[], ending: AbortSignal): Promise<number> {
  const values = parsed(args, { ...JSON_OPTION, ...SERVICE_OPTIONS, ...MIRROR_OPTIONS, limit: { type: 'string' } })
  if (!/^\d{1,6}$/.test(values.limit ?? '0')) throw usage('--limit takes a number of products, up to 999999')
  const limit = Number(values.limit ?? LIMIT)
  const output = new Output(values.json === true)
  const service = await openService(values, ending)
  const mirror = await openMirror(values, 'read')
  const detailed = limit
  return comparing({ service, mirror, output, values, detailed, ending }, (comparison) => {
    for (const finding of comparison.findings.slice(0, limit)) printFinding(output, comparison.store, finding)
    return Promise.resolve(printEquality(output, comparison))
  })
}

interface Work {
  service: Service
  mirror: OpenedMirror
  output: Output
  values: { store?: string[] | undefined; moved?: boolean | undefined }
  detailed: number
  ending: AbortSignal
}

/** @param judge prints the comparison of a store, and resolves to whether it is equal @returns the exit code */
async function comparing(
  { service, mirror, output, values, detailed, ending: signal }: Work,
  judge: (comparison: Comparison) => Promise<boolean>,
): Promise<number> {
  try {
    const stores = chosenStores(service, values.store ?? (await mirror.stores()))
    await checkSources(mirror, service.url, stores, values.moved === true)
    let isEqual = true
    for (const { slug: store } of stores) {
      const onProgress = (products: number) =>
        output.live(`${store}: comparing, ${counted(products, 'product', 'products')}`)
      const { target } = mirror
      const compared = compare({ shelf: service.shelf, target, store, detailed, onProgress, signal })
      try {
        isEqual = (await judge(await compared)) && isEqual
      } catch (error) {
        const failure = failureOf(error, service.url)
        // this store cannot be compared; the others are
        if (failure.exit !== EXIT.unequal) throw failure
        output.failed(failure)
        isEqual = false
      } finally {
        output.live('')
      }
    }
    return isEqual ? EXIT.done : EXIT.unequal
  } finally {
    await mirror.close()
  }
}

function printEquality(output: Output, { store, products, findings, damages, changed, asOf }: Comparison): boolean {
  const ids = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).map(({ id }) => id)
  const [missing, superfluous, different] = [ids('missing'), ids('superfluous'), ids('different')]
  const isEqual = findings.length === 0 && damages.length === 0
  const fields = { store, products, changed_since: changed, as_of: asOf }
  const since = changed === 0 ? '' : ` (${count(changed)} changed since, not compared)`
  if (isEqual)
    output.event('equal', fields, `${store}: ${counted(products, 'product', 'products')}, equal as of ${asOf}${since}`)
  else {
    const named = [list('missing', missing), list('superfluous', superfluous), list('different', different)]
    const unread = damages.map(({ file, line }) => `  ${file}, line ${line} cannot be read`)
    output.event(
      'unequal',
      { ...fields, missing, superfluous, different, damaged: damages.map(({ file, line }) => ({ file, line })) },
      null,
    )
    const lines = [`${store}: ${counted(products, 'product', 'products')}, NOT equal as of ${asOf}${since}`]
    for (const line of [...lines, ...named, ...unread]) if (line !== '' && !output.isJson) output.line(line)
  }
  return isEqual
}

function list(kind: string, ids: readonly number[]): string {
  if (ids.length === 0) return ''
  const more = ids.length > NAMED ? `, and ${count(ids.length - NAMED)} more` : ''
  return `  ${counted(ids.length, 'product is', 'products are')} ${kind}: ${ids.slice(0, NAMED).join(', ')}${more}`
}

const VALUE_MAX = 200

function printFinding(output: Output, store: string, { id, kind, differences }: Finding): void {
  const members = (differences ?? []).map(({ member, mirror, service }) => ({
    member,
    // JSON has no undefined, and null is a value
    ...(mirror === undefined ? {} : { mirror }),
    ...(service === undefined ? {} : { service }),
  }))
  output.event('difference', { store, product_id: id, kind, ...(differences === null ? {} : { members }) }, null)
  if (output.isJson) return
  output.line(`${store}: product ${id} is ${kind}${kind === 'different' ? ':' : ''}`)
  for (const { member, mirror, service } of differences ?? []) {
    output.line(`  ${member}`)
    output.line(`    mirror   ${shown(mirror)}`)
    output.line(`    service  ${shown(service)}`)
  }
}

function shown(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}… (${count(text.length)} characters)`
}
