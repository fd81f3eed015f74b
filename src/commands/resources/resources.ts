import type { Command } from 'commander'
import { withArticle, type AccountResource } from '../../../contract/account-resource.ts'
import { ACCOUNT_RESOURCES } from '../../../contract/account-resources.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { sourceRules, type Runtime } from '../../runtime.ts'
import type { Untyped } from '../../serve/account/collection.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import { addressOf, GROUP, named, STORE, SUPPLIER } from '../console/named.ts'
import { memberOptions, membersGiven, namesOf } from './resource-options.ts'
import { RESOURCE_NAMES, type Members, type Options, type Verb } from './resource-names.ts'
import { withRuntime } from '../console/run.ts'
import { idNumber, printed, writeTo, type Common } from '../console/write.ts'

// Commands of account resources, derived from the same declarations as the routes below /v1/account, and writing with the same functions: a new
// resource gets its commands without a further file. Exceptions are in resource-names.ts.

/** Resources whose rows are named by an option, and not by an argument with the key. */
const NAMED = {
  stores: {
    flag: '--store <slug>',
    find: (reader: Reader, id: number, text: string) => named(reader, id, STORE, text),
  },
  suppliers: {
    flag: '--supplier <code>',
    find: (reader: Reader, id: number, text: string) => named(reader, id, SUPPLIER, text),
  },
  groups: {
    flag: '--group <name>',
    find: (reader: Reader, id: number, text: string) => named(reader, id, GROUP, text),
  },
} as const
const isNamed = (path: string): path is keyof typeof NAMED => Object.hasOwn(NAMED, path)

const VERBS: readonly Verb[] = ['create', 'list', 'show', 'edit', 'delete']

export function resourceCommands(program: Command): void {
  for (const resource of ACCOUNT_RESOURCES) if (RESOURCE_NAMES[resource.path] !== null) commandsOf(program, resource)
}

function commandsOf(program: Command, resource: AccountResource): void {
  const { noun, path } = resource
  const names = namesOf(resource)
  const { called = noun, member = path.replaceAll('-', '_'), verbs = VERBS } = names
  const command = program
    .command(names.name ?? noun.replaceAll(' ', '-'))
    .description(names.description ?? pluralOf(noun))
  const has = (verb: Verb) => verbs.includes(verb)
  const add = (verb: Verb, description: string) => withAccountOptions(command.command(verb).description(description))

  if (has('create'))
    memberOptions(add('create', `create ${withArticle(noun)}`), resource, true).action((options: Common & Options) =>
      writeTo(options, async (tx, runtime) => {
        const collection = await collectionOf(resource, runtime)
        const { withDefaults } = await import('../../serve/account/members.ts')
        const given = await membersGiven(resource, options, null, tx, options.account)
        const made = await collection.create(tx, options.account, withDefaults(given, collection.defaults), undefined)
        const { value } = made
        const [key, once] =
          typeof value === 'object' ? [value.key, value.once(addressOf(runtime.settings))] : [value, {}]
        const row = must(await found(collection, tx, options.account, key))
        const fields = { ...idOf(resource, row, names.calledWhenMade ?? noun), ...once }
        const shown = Object.values(once).map((secret) => `; shown only now:\n${String(secret)}`)
        return printed(
          made,
          fields,
          `${names.calledWhenMade ?? noun} ${nameOf(resource, row)} created${shown.join('')}`,
        )
      }),
    )

  if (has('list'))
    add('list', names.listing ?? `list the ${member === 'rules' ? member : pluralOf(noun)}`).action((options: Common) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const collection = await collectionOf(resource, runtime)
        const rows = (await collection.list(runtime.db, options.account, undefined)).map((row) =>
          collection.represent(row),
        )
        const columns = names.columns ?? plainColumns
        printer.result(
          { [member]: rows.map((row) => withId(resource, row, called)) },
          rows.length === 0
            ? `no ${member.replaceAll('_', ' ')}`
            : rows.map((row) => columns(row).join('\t')).join('\n'),
        )
      }),
    )

  if (has('show'))
    one(add('show', `show ${withArticle(called)} as it is set`), resource, called).action((...args: unknown[]) =>
      withRuntime(optionsOf(args), async ({ runtime, printer }) => {
        const collection = await collectionOf(resource, runtime)
        const row = collection.represent(await wanted(collection, runtime.db, called, args))
        printer.result(
          withId(resource, row, called),
          Object.entries(row)
            .map(
              ([name, value]) => `${`${name}:`.padEnd(24)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
            )
            .join('\n'),
        )
      }),
    )

  if (has('edit'))
    memberOptions(
      one(add('edit', `change the given fields of ${withArticle(noun)}`), resource, called),
      resource,
      false,
    ).action((...args: unknown[]) => {
      const options = optionsOf(args)
      return writeTo(options, async (tx, runtime) => {
        const collection = await collectionOf(resource, runtime)
        await settingsLock(tx, options.account)
        const row: unknown = await wanted(collection, tx, called, args)
        const current = collection.represent(row)
        const given = await membersGiven(resource, options, current, tx, options.account)
        const written = await collection.edit(tx, options.account, row, given)
        return printed(written, idOf(resource, current, called), `${called} ${nameOf(resource, current)} changed`)
      })
    })

  if (has('delete'))
    one(add('delete', `delete ${withArticle(called)}`), resource, called).action((...args: unknown[]) => {
      const options = optionsOf(args)
      return writeTo(options, async (tx, runtime) => {
        const { remove } = names
        if (remove !== undefined) {
          const id = idNumber(`${underscored(called)}_id`, String(args[0]))
          return printed(
            await remove(tx, options.account, id),
            { [`${underscored(called)}_id`]: id, deleted: true },
            `${called} ${id} deleted`,
          )
        }
        const collection = await collectionOf(resource, runtime)
        await settingsLock(tx, options.account)
        const row: unknown = await wanted(collection, tx, called, args)
        const gone = collection.represent(row)
        const written = await collection.remove(tx, options.account, row)
        return printed(
          written,
          { ...idOf(resource, gone, called), deleted: true },
          `${called} ${nameOf(resource, gone)} deleted`,
        )
      })
    })
}

/** Adds what names a row: an option, or an argument. */
function one(command: Command, { path, noun, key }: AccountResource, called: string): Command {
  return isNamed(path)
    ? command.requiredOption(NAMED[path].flag, noun)
    : command.argument(key.isText ? `<${key.name}>` : `<${underscored(called)}_id>`, called)
}

// commander passes arguments, then options, then the command
const optionsOf = (args: readonly unknown[]) => args.at(-2) as Common & Options

/** The row that a command names. @throws ShelfwireError unknown-store, unknown-supplier, unknown-reference; invalid-input */
async function wanted(collection: Untyped, reader: Reader, called: string, args: readonly unknown[]): Promise<unknown> {
  const { path, noun, key } = collection.resource
  const options = optionsOf(args)
  if (isNamed(path)) {
    const { flag, find } = NAMED[path]
    return find(reader, options.account, String(options[flag.slice(2, flag.indexOf(' '))]))
  }
  const text = String(args[0])
  const wantedKey = key.isText ? (collection.canonicalKey?.(text) ?? text) : idNumber(`${underscored(called)}_id`, text)
  const row: unknown = await (
    await import('../../serve/account/collection.ts')
  ).findOne(collection, reader, options.account, wantedKey, undefined)
  if (row !== undefined) return row
  const shown = key.isText ? `"${text.slice(0, 80)}"` : text
  throw new ShelfwireError('unknown-reference', `the account has no ${noun} ${shown}`)
}

async function found(collection: Untyped, reader: Reader, accountId: number, key: string | number) {
  const { findOne } = await import('../../serve/account/collection.ts')
  const row: unknown = await findOne(collection, reader, accountId, key, undefined)
  return row === undefined ? undefined : collection.represent(row)
}

/** Loads the functions that read and write a resource; lazily, because they are a large part of the service. */
async function collectionOf(resource: AccountResource, runtime: Runtime): Promise<Untyped> {
  const { resourcesWith } = await import('../../serve/account/resources.ts')
  const { seal, outbound, settings } = runtime
  const all = resourcesWith({
    noticeChannels: { seal, outbound, publicUrl: () => addressOf(settings) },
    sources: { rules: sourceRules(runtime) },
  })
  return must(all.find((one) => one.resource.path === resource.path))
}

const underscored = (noun: string) => noun.replaceAll(' ', '_')
const pluralOf = (noun: string) => `${noun.replace(/y$/, 'ie').replace(/s$/, 'se')}s`
/** The name of a row in texts: its id, or its key in quotes. */
const nameOf = ({ key }: AccountResource, row: Members) =>
  'id' in row ? String(row['id']) : `"${String(row[key.name])}"`
/** `store_id: 7`, or the key of a resource without ids. */
const idOf = ({ key }: AccountResource, row: Members, called: string): Members =>
  'id' in row ? { [`${underscored(called)}_id`]: row['id'] } : { [key.name]: row[key.name] }
const withId = (resource: AccountResource, { id, ...row }: Members, called: string): Members =>
  id === undefined ? row : { ...idOf(resource, { id }, called), ...row }
const plainColumns = (row: Members) =>
  Object.values(row).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
