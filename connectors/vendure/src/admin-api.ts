import { Inject } from '@nestjs/common'
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql'
import { Allow, Permission } from '@vendure/core'
import { parse } from 'graphql'
import type { ShopSettings } from '@shelfwire/client/shop'
import { Connector } from './connector.ts'

// The queries and mutations of the page in the dashboard. Answers are JSON, with shapes of client/src/shop.

const SCHEMA = `
  extend type Query {
    "How @shelfwire/vendure is set up, how far it is, and what the shop has refused"
    shelfwireSettings: JSON!
  }
  extend type Mutation {
    "Looks for changes now"
    shelfwireFollow: Boolean!
    "Compares the shop with Shelfwire; with repair it writes again what differs"
    shelfwireVerify(repair: Boolean! = false): JSON!
  }`

@Resolver()
class ShelfwireResolver {
  readonly #connector: Connector

  constructor(@Inject(Connector) connector: Connector) {
    this.#connector = connector
  }

  @Allow(Permission.SuperAdmin)
  @Query()
  shelfwireSettings(): Promise<ShopSettings> {
    return this.#connector.settings()
  }

  @Allow(Permission.SuperAdmin)
  @Mutation()
  async shelfwireFollow(): Promise<boolean> {
    await this.#connector.hint()
    return true
  }

  /** @throws Error where the shop is being brought up to date; VerifyError where a store is not filled yet */
  @Allow(Permission.SuperAdmin)
  @Mutation()
  async shelfwireVerify(@Args() { repair }: { repair: boolean }): Promise<object> {
    const report = await this.#connector.verify(repair)
    if (report === null) throw new Error('the shop is being brought up to date; ask again')
    return report
  }
}

export const adminApi = { schema: parse(SCHEMA), resolvers: [ShelfwireResolver] }
