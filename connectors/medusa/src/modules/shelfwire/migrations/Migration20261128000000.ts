import { Migration } from '@medusajs/framework/mikro-orm/migrations'
import { KEPT_TABLES } from '@shelfwire/client/shop'

/** The tables for the mirror's position, its products of each store, and the entities that were made in the shop for it. */
export class Migration20261128000000 extends Migration {
  override up(): void {
    for (const statement of Object.values(KEPT_TABLES).flat()) this.addSql(statement)
  }

  override down(): void {
    for (const table of Object.keys(KEPT_TABLES)) this.addSql(`drop table if exists ${table}`)
  }
}
