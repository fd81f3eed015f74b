import { Migration } from '@medusajs/framework/mikro-orm/migrations'
import { KEPT_TABLES } from '@shelfwire/client/shop'

/** The columns that say when a refused article is tried again, for a shop whose table was made by an earlier version. */
export class Migration20261128130000 extends Migration {
  override up(): void {
    for (const statement of KEPT_TABLES['shelfwire_refused'] ?? []) this.addSql(statement)
  }

  override down(): void {
    this.addSql('alter table if exists shelfwire_refused drop column if exists attempts, drop column if exists due')
  }
}
