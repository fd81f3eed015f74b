import { isToken } from '../sender.ts'
import { isMirrorName } from '../verify/report-mirror-check.ts'

// Reads the options of a connector, which people write.

/** Invalid options; the message says which, and why. */
class OptionsError extends Error {
  override readonly name = 'OptionsError'
}

type Members = Readonly<Record<string, unknown>>

/** Options that every connector has. */
export interface ConnectorOptions {
  url: string
  token: string
  webhookSecrets: string[]
  /** The shop's name in the panel, where the account sees whether the shop is equal to its stores. */
  name: string
}

export class OptionReader {
  readonly #connector: string
  readonly #place: string

  /** @param connector the name of its package @param place where its options are */
  constructor(connector: string, place: string) {
    this.#connector = connector
    this.#place = place
  }

  error(text: string): Error {
    return new OptionsError(`${this.#connector}: ${text}: see the plugin's options in ${this.#place}`)
  }

  /** @throws OptionsError where it is no object */
  members(raw: unknown, what: string): Members {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw this.error(`${what} must be an object`)
    return raw as Members
  }

  /** @throws OptionsError where there are members of other names */
  only(of: Members, known: readonly string[], what: string): void {
    const unknown = Object.keys(of).find((name) => !known.includes(name))
    if (unknown !== undefined) throw this.error(`\`${unknown}\` of ${what} is none of ${known.join(', ')}`)
  }

  /** @returns an empty list where the member is missing */
  list(of: Members, name: string): readonly unknown[] {
    const value = of[name] ?? []
    if (!Array.isArray(value)) throw this.error(`\`${name}\` must be a list`)
    return value
  }

  text(of: Members, name: string): string {
    const value = of[name]
    if (typeof value !== 'string' || value === '') throw this.error(`\`${name}\` is missing`)
    return value
  }

  optionalText(of: Members, name: string): string | null {
    return of[name] === undefined || of[name] === null ? null : this.text(of, name)
  }

  /** Shelfwire's names -> the shop's, or null: the shop has no such thing. */
  names(of: Members, name: string): Map<string, string | null> {
    return new Map(
      Object.entries(this.members(of[name] ?? {}, `\`${name}\``)).map(([ours, theirs]) => {
        if (theirs !== null && (typeof theirs !== 'string' || theirs === ''))
          throw this.error(`\`${name}\` must say a text for ${ours}, or null`)
        return [ours, theirs]
      }),
    )
  }

  /** The texts of a list, each of which must be one of `known`. */
  oneOf<T extends string>(of: Members, name: string, known: readonly T[]): Set<T> {
    return new Set(
      this.list(of, name).map((raw) => {
        const one = known.find((each) => each === raw)
        if (one === undefined)
          throw this.error(`\`${name}\` has ${JSON.stringify(raw)}, which is none of ${known.join(', ')}`)
        return one
      }),
    )
  }

  /** The stores, each of which is a slug, or an object with it and other members of the shop. */
  stores<T extends string>(of: Members, members: readonly T[]): ({ store: string } & Record<T, string | null>)[] {
    const stores = this.list(of, 'stores').map((raw) => {
      const each = typeof raw === 'string' ? { store: raw } : this.members(raw, 'an entry of `stores`')
      this.only(each, ['store', ...members], 'an entry of `stores`')
      const others = Object.fromEntries(members.map((name) => [name, this.optionalText(each, name)]))
      return { store: this.text(each, 'store'), ...(others as Record<T, string | null>) }
    })
    if (stores.length === 0) throw this.error('`stores` must name a store')
    if (new Set(stores.map(({ store }) => store)).size < stores.length) throw this.error('`stores` names a store twice')
    return stores
  }

  /** @param shop its name, unless the options have one */
  connection(of: Members, shop: string): ConnectorOptions {
    const url = this.text(of, 'url')
    // `localhost:8080` can be parsed, with `localhost` for its protocol
    if (!/^https?:/i.test(url) || !URL.canParse(url))
      throw this.error('`url` must be the address of the service, with https://')
    const token = this.text(of, 'token')
    // `fetch` would repeat it in its error
    if (!isToken(token)) throw this.error('`token` has characters that no token has: it must be copied whole and alone')
    const webhookSecrets = this.list(of, 'webhookSecrets').map((secret) => {
      if (typeof secret !== 'string' || secret === '') throw this.error('`webhookSecrets` must be texts')
      return secret
    })
    const name = this.optionalText(of, 'name') ?? shop
    if (!isMirrorName(name)) throw this.error('`name` must be 1 to 100 characters, with no blanks around them')
    return { url, token, webhookSecrets, name }
  }
}
