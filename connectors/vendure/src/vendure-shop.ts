import type { ModuleRef } from '@nestjs/core'
import {
  ConfigService,
  Injector,
  Logger as ShopLogger,
  RequestContextService,
  TransactionalConnection,
  User,
  type RequestContext,
} from '@vendure/core'
import type { UserRow } from './shop/rows.ts'
import type { KeptConnection, KeptDatabase, Logger } from '@shelfwire/client/shop'

// Access to a running shop: its services, its database and its log.

interface Queries {
  query(sql: string, values?: readonly unknown[]): Promise<unknown>
}

/** Converts `?` placeholders to PostgreSQL's `$1`, `$2` and so on, which TypeORM's queries need. */
function connectionOf(of: Queries): KeptConnection {
  return {
    async raw(sql, values) {
      let count = 0
      const rows = await of.query(
        sql.replaceAll('?', () => `$${++count}`),
        values,
      )
      return { rows: Array.isArray(rows) ? rows : [] }
    },
  }
}

export const logger: Logger = {
  info: (text) => ShopLogger.info(text, 'ShelfwirePlugin'),
  warn: (text) => ShopLogger.warn(text, 'ShelfwirePlugin'),
  error: (text) => ShopLogger.error(text, 'ShelfwirePlugin'),
}

export class Shop {
  readonly #injector: Injector
  readonly db: KeptDatabase

  constructor(moduleRef: ModuleRef) {
    this.#injector = new Injector(moduleRef)
    // read at each call, because the connection exists only after the shop has started
    const connection = () => this.get(TransactionalConnection).rawConnection
    this.db = {
      raw: (sql, values) => connectionOf(connection()).raw(sql, values),
      transaction: (work) => connection().transaction((manager) => work(connectionOf(manager))),
    }
  }

  /** A service of the shop. */
  get<T>(token: new (...args: never[]) => T): T {
    return this.#injector.get(token)
  }

  /** A context of the superadmin in the default channel, which has all products. @throws Error without a superadmin */
  async context(): Promise<RequestContext> {
    const { identifier } = this.get(ConfigService).authOptions.superadminCredentials
    const connection = this.get(TransactionalConnection)
    const anonymous = await this.get(RequestContextService).create({ apiType: 'admin', user: { id: 0 } })
    const user = await connection
      .getRepository<UserRow>(anonymous, User)
      .findOne({ where: { identifier }, relations: { roles: { channels: true } } })
    if (user === null) throw new Error(`the shop has no superadmin ${identifier}`)
    return this.get(RequestContextService).create({ apiType: 'admin', user })
  }

  /** Runs work in a transaction of the shop's database. */
  transaction<T>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<T>): Promise<T> {
    return this.get(TransactionalConnection).withTransaction(ctx, work)
  }

  /** A connection to the connector's tables within the transaction of a context. */
  kept(ctx: RequestContext): KeptConnection {
    return connectionOf(this.get(TransactionalConnection).getRepository(ctx, User).manager)
  }

  /** @throws Error where the shop's database is not PostgreSQL */
  requirePostgres(): void {
    const { type } = this.get(TransactionalConnection).rawConnection.options
    if (type !== 'postgres')
      throw new Error(`@shelfwire/vendure needs PostgreSQL: the shop's database is of the type ${type}`)
  }
}
